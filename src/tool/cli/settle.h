/* Decides what parsed options mean together, and rejects those that contradict each other. */
#pragma once

#include "cli/options.h"

/* Call after ba_opt_parse() of these rows. With --help or --help-all, only sets o->help. Fills
 * o->job.suggest. BA_EINVAL: a contradiction. */
int ba_options_settle(ba_options *o, const ba_opt *rows, const ba_strv *operands,
	ba_options_for command, ba_error *err);

/* Does --device name this GPU? */
bool ba_options_name_device(const ba_options *o, int device);
