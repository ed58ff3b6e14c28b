/* The whole results document: what is read can be written, and is then read again. */
#include <stdlib.h>

#include "store/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_result) ba_result r = {0}, again = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error err = {0};
	if (ba_results_parse(&r, (const char *)data, size, "x", &err)) {
		if (!*err.text)
			abort();
		return 0;
	}
	ba_results_format(&text, &r);
	if (ba_results_parse(&again, text.data, text.len, "y", &err))
		abort();
	return 0;
}
