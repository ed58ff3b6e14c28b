/* The cursor over JSON against the parser: what one takes the other takes, but for the
 * words that JSON lacks. */
#include <stdlib.h>
#include <string.h>

#include "json/pull.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_foreign_words(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((text[i] | 0x20) == 'n' || (text[i] | 0x20) == 'i')
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(text, size, "x");
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	const ba_json_options options = {.unique_keys = true};
	ba_error err = {0};
	int rc = ba_pull_skip(p, &err);
	rc = rc ? rc : ba_pull_end(p, &err);
	if (rc && !*err.text)
		abort();
	int parsed = ba_json_parse(&doc, text, size, &options, NULL);
	/* what no double holds the parser refuses later, when it is asked for */
	bool large = rc && strstr(err.text, "is too large for a number");
	if (!rc != !parsed && !has_foreign_words(text, size) && !large)
		abort();
	return 0;
}
