/* The commands: argv without the program's name, the command's name first. Each returns
 * the exit status. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

int ba_cmd_against(int argc, char **argv);
int ba_cmd_run(int argc, char **argv);
int ba_cmd_list(int argc, char **argv);
int ba_cmd_doctor(int argc, char **argv);
int ba_cmd_cache(int argc, char **argv);
int ba_cmd_demo(int argc, char **argv);
int ba_cmd_replay(int argc, char **argv);
int ba_cmd_verify(int argc, char **argv);
int ba_cmd_calibrate(int argc, char **argv);

#endif
