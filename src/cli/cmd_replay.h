/*
 * `bench-against replay TRACE`: the decision rule on a recorded trace, with fixed
 * blocks and no escalation. argv[0] is the command's name. Returns the exit status.
 */
#ifndef CLI_CMD_REPLAY_H
#define CLI_CMD_REPLAY_H

int ba_cmd_replay(int argc, char **argv);

#endif
