#include "cubin/kernels.h"

#include <stdio.h>

#include "cubin/elf.h"
#include "cubin/image.h"

void ba_kernel_codes_dispose(ba_kernel_codes *k)
{
	for (size_t i = 0; i < k->count; i++)
		BA_FREE(k->items[i].name, k->items[i].mangled, k->items[i].open);
	free(k->items);
	*k = (ba_kernel_codes){0};
}

char *ba_kernel_canonical(const char *mangled)
{
	return ba_xstrdup(mangled);
}

static int read_kernel(ba_kernel_codes *out, const ba_image *image, const char *name, ba_error *err)
{
	bool found = false;
	BA_AUTO(ba_code) ba_code code = {0};
	ba_sha256 sum;
	ba_sha256_init(&sum);
	BA_TRY(ba_cubin_add(&found, &code, &sum, image->data, image->bytes, name, err));
	ba_kernel_code k = {.name = ba_kernel_canonical(name), .mangled = ba_xstrdup(name)};
	ba_sha256_hex(&sum, k.whole);
	memcpy(k.code, k.whole, sizeof(k.code));
	k.is_linked = image->kind == BA_IMAGE_CUBIN;
	const Elf64_Ehdr *h = (const void *)code.cubin;
	unsigned arch = h->e_ident[EI_ABIVERSION] >= 8 ? h->e_flags >> 8 & 0xff : h->e_flags & 0xff;
	snprintf(k.target, sizeof(k.target), "sm_%u", arch);
	k.metrics.code_bytes = (uint32_t)code.code_bytes;
	*BA_PUSH(out->items, out->count, out->capacity) = k;
	return 0;
}

int ba_kernels_read(ba_kernel_codes *out, const ba_image *image, ba_error *err)
{
	if (image->kind > BA_IMAGE_OBJECT)
		return 0;
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_TRY(ba_cubin_names(&names, image->data, image->bytes, err));
	for (size_t i = 0; i < names.count; i++)
		BA_TRY(read_kernel(out, image, names.items[i], err));
	return 0;
}

ba_kernel_verdict ba_kernel_compare(
	const ba_kernel_code *base, const ba_kernel_code *mine, const char **why)
{
	*why = base->open ? base->open : mine->open;
	if (*why)
		return BA_KERNEL_OPEN;
	if (strcmp(base->whole, mine->whole) == 0)
		return BA_KERNEL_SAME;
	if (strcmp(base->code, mine->code) != 0)
		return BA_KERNEL_CHANGED;
	if (strcmp(base->limits, mine->limits) != 0)
		return BA_KERNEL_OTHER_LIMITS;
	if (strcmp(base->data, mine->data) != 0)
		return BA_KERNEL_OTHER_DATA;
	*why = strcmp(base->names, mine->names) != 0
		       ? "it uses other variables of equal content, or they were renamed"
		       : "it reads constants at an address that is not known, and they changed";
	return BA_KERNEL_OPEN;
}
