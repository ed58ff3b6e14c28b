/* The configuration. */
#include <stdlib.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_config) ba_config c;
	ba_error err = {0};
	ba_config_init(&c);
	if (ba_config_load_text(&c, "x", (const char *)data, size, &err) && !*err.text)
		abort();
	return 0;
}
