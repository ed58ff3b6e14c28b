/* The kinds of suite: each is a row of functions in a file of its own. */
#pragma once

#include "session/session.h"

extern const ba_kind_ops ba_launcher_ops; /* launcher.c */
extern const ba_kind_ops ba_plugin_ops;	  /* plugin.c */
extern const ba_kind_ops ba_program_ops;  /* program.c */
extern const ba_kind_ops ba_command_ops;  /* command.c */
const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind);
/* plugin.c: the sizes of visits that the host times, on inputs that it chooses */
int ba_rehearse_fresh(ba_session *s, ba_task *t, ba_failure *f);
