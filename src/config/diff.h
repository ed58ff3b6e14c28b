/* What two configurations say differently, by path, whatever their keys mean: for a
 * gate, where one of them rules and the other is told that it does not. */
#ifndef CONFIG_DIFF_H
#define CONFIG_DIFF_H

#include <stddef.h>

#include "base/error.h"
#include "base/strv.h"

/* Appends "$.thresholds.default is "5%", not "2%"", "$.gate is gone", "$.build.jobs is
 * new: 4". Comments, order of keys and white space are no difference; `$schema` is none
 * either. An error is that `theirs` is no JSON; `ours` has been loaded before. */
int ba_config_differences(ba_strv *out, const char *ours, size_t our_size,
	const char *theirs, size_t their_size, const char *their_name, ba_error *err);

#endif
