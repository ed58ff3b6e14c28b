#include "model/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void ba_device_code_dispose(ba_device_code *c)
{
	for (size_t i = 0; i < c->kernel_count; i++)
		free(c->kernels[i].name);
	free(c->kernels);
	free(c->reason);
	*c = (ba_device_code){0};
}

ba_kernel *ba_device_code_add(ba_device_code *c)
{
	c->kernels =
		ba_xreallocarray(c->kernels, c->kernel_count + 1, sizeof(*c->kernels));
	ba_kernel *k = &c->kernels[c->kernel_count++];
	*k = (ba_kernel){0};
	return k;
}

static bool is_equal(const char *a, const char *b)
{
	return *a && strcmp(a, b) == 0;
}

bool ba_device_code_is_same(const ba_device_code *a, const ba_device_code *b)
{
	return is_equal(a->code_sha256, b->code_sha256) &&
	       is_equal(a->work_sha256, b->work_sha256) &&
	       is_equal(a->memory_sha256, b->memory_sha256);
}
