/* A variant's device code, cubin, PTX or fatbin, damaged in any way: a digest that is
 * the same each time, or a sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cubin/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_code) ba_code one = {0};
	BA_AUTO(ba_code) ba_code two = {0};
	ba_error err = {0};
	/* as aligned as an image that is loaded */
	BA_AUTO_FREE char *image = ba_xmemdup0(data, size);
	int rc = ba_image_code(&one, image, size, "_Z5scalePf", 90, &err);

	if (rc ? !*err.text : strlen(one.sha256) != 64)
		abort();
	if (ba_image_code(&two, image, size, "_Z5scalePf", 90, NULL) != rc ||
		strcmp(one.sha256, two.sha256) != 0 || one.code_bytes != two.code_bytes)
		abort();
	return 0;
}
