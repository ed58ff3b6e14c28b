/* What a gate reads of a candidate: its file of expected benchmarks, and its
 * configuration against another one (the two are separated by a NUL). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expected(const char *text, size_t size)
{
	BA_AUTO(ba_strv) ba_strv globs = {0};
	ba_error err = {0};
	int rc = ba_expected_parse(&globs, text, size, "x", "list --expected", &err);
	if ((rc && !*err.text) || (rc == 0) != (globs.count > 0))
		abort();
}

static void differences(const char *text, size_t size)
{
	const char *nul = memchr(text, '\0', size);
	size_t first = nul ? (size_t)(nul - text) : size;
	const char *rest = nul ? nul + 1 : "{}";
	size_t second = nul ? size - first - 1 : 2;
	BA_AUTO(ba_strv) ba_strv out = {0};
	BA_AUTO(ba_strv) ba_strv same = {0};
	ba_error err = {0};
	int rc = ba_config_differences(&out, text, first, rest, second, "x", &err);
	if (rc && !*err.text)
		abort();
	/* nothing differs from itself */
	if (ba_config_differences(&same, text, first, text, first, "x", NULL) == 0 && same.count)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	expected((const char *)data, size);
	differences((const char *)data, size);
	return 0;
}
