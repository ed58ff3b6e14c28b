/* Lists differences between two configurations by path, whatever their keys mean. A
 * gate applies one of them and reports what the other would change. */
#ifndef CONFIG_DIFF_H
#define CONFIG_DIFF_H

#include "base/base.h"

/* Appends sentences: "$.thresholds.default is "5%", not "2%"", "$.gate is gone",
 * "$.build.jobs is new: 4". Ignores comments, order of keys, white space and `$schema`.
 * It fails if `theirs` is not JSON; `ours` must have been loaded before. */
int ba_config_differences(ba_strv *out, const char *ours, size_t our_size, const char *theirs,
	size_t their_size, const char *their_name, ba_error *err);

#endif
