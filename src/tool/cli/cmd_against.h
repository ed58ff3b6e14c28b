/* Reads the command line of a run that another process started. */
#pragma once

#include "cli/options.h"

/* Parses the arguments of a run, as a journal or an exchange stores them. They must
 * outlive the options. */
int ba_cmd_parse_journal(ba_options *o, ba_strv *operands, const ba_strv *argv, ba_error *err);
