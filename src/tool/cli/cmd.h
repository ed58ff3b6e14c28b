/* The commands. Each takes argv without the program's name, beginning with the
 * command's name, and returns the exit status. To add one: a line here, a row of
 * ba_commands, a page of help. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

/* where help lists it */
typedef enum ba_command_group {
	BA_COMMAND_EVERYDAY,
	BA_COMMAND_RESULTS,
	BA_COMMAND_SYSTEM,
	BA_COMMAND_SCRIPTS
} ba_command_group;

/* for completions: what the operands of a command are */
typedef enum ba_operands {
	BA_OPERANDS_NONE,
	BA_OPERANDS_VARIANTS, /* revisions, WORKTREE, path:DIR */
	BA_OPERANDS_FILES,
	BA_OPERANDS_DIRS,
	BA_OPERANDS_WORDS /* those of the row */
} ba_operands;

typedef struct ba_command {
	const char *name;
	int (*fn)(int argc, char **argv);
	ba_command_group group;
	const char *shown; /* the operands as help shows them: "FILE FILE"; or "" */
	ba_operands operands;
	const char *words; /* "list prune clear"; NULL unless BA_OPERANDS_WORDS */
} ba_command;

extern const ba_command ba_commands[];		      /* ends with a NULL name */
const ba_command *ba_command_named(const char *name); /* NULL: none */
const char *ba_command_nearest(const char *word);     /* its name; NULL: none is similar */

int ba_cmd_against(int argc, char **argv);
int ba_cmd_run(int argc, char **argv);
/* not in the table: runs start them */
int ba_cmd_member(int argc, char **argv);
int ba_cmd_builder(void);
int ba_cmd_prebuild(int argc, char **argv);
int ba_cmd_list(int argc, char **argv);
int ba_cmd_doctor(int argc, char **argv);
int ba_cmd_cache(int argc, char **argv);
int ba_cmd_demo(int argc, char **argv);
int ba_cmd_merge(int argc, char **argv);
int ba_cmd_compare(int argc, char **argv);
int ba_cmd_convert(int argc, char **argv);
int ba_cmd_replay(int argc, char **argv);
int ba_cmd_decide(int argc, char **argv);
int ba_cmd_verify(int argc, char **argv);
int ba_cmd_plot(int argc, char **argv);
int ba_cmd_report(int argc, char **argv);
int ba_cmd_explain(int argc, char **argv);
int ba_cmd_calibrate(int argc, char **argv);
int ba_cmd_history(int argc, char **argv);
int ba_cmd_init(int argc, char **argv);
int ba_cmd_bisect(int argc, char **argv);
int ba_cmd_completion(int argc, char **argv);
int ba_cmd_manual(int argc, char **argv);

#endif
