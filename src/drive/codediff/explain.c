/* Which basic blocks of changed kernels differ, by nvdisasm. */
#include "codediff/codediff.h"
#include "disasm/listing.h"

#define ONE_LIMIT_NS (20 * BA_SECOND)
#define ALL_LIMIT_NS (60 * BA_SECOND)
#define FILE_MOST ((size_t)2 << 30)

/* One kernel, written as a file of its cubin. */
typedef struct extract {
	const ba_kernel_code *kernel;
	const char *path;
	uint64_t symbol;
	bool found;
} extract;

static int take_image(void *context, const ba_image *image, ba_error *err)
{
	extract *x = context;
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	if (x->found || image->kind > BA_IMAGE_OBJECT)
		return 0;
	BA_TRY(ba_kernels_read(&codes, image, err));
	const ba_kernel_code *here = BA_FIND(codes.items, codes.count, k,
		strcmp(k->mangled, x->kernel->mangled) == 0 &&
			strcmp(k->whole, x->kernel->whole) == 0);
	if (!here)
		return 0;
	x->symbol = here->symbol;
	x->found = true;
	return ba_fs_write(x->path, image->data, image->bytes, 0600, err);
}

static int extract_kernel(extract *x, const ba_code_side *side, const char *file, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path =
		ba_fs_is_dir(side->root) ? ba_path_join(side->root, file) : ba_xstrdup(side->root);
	BA_TRY(ba_fs_read(&text, path, FILE_MOST, err));
	BA_TRY(ba_images_find(text.data, text.len, 0, take_image, x, err));
	return x->found ? 0
			: ba_fail(err, BA_EUNSUPPORTED, "kernel '%s' cannot be taken out of '%s'",
				  x->kernel->name, file);
}

static int list_kernel(ba_listing *out, const ba_codediff *d, const ba_code_pair *p, int side,
	const ba_nvdisasm *tool, const char *scratch, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/explain-%d.cubin", scratch, side);
	extract x = {.kernel = ba_code_kernel(d, p, side), .path = path};
	BA_TRY(extract_kernel(&x, &d->sides[side], ba_code_file_of(d, p, side)->path, err));
	return ba_nvdisasm_read(out, tool, path, x.kernel->mangled, x.symbol, err);
}

static int explain_pair(ba_codediff *d, ba_code_pair *p, const ba_nvdisasm *tool,
	const char *scratch, ba_error *err)
{
	BA_AUTO(ba_listing) ba_listing base = {0}, mine = {0};
	BA_TRY(list_kernel(&base, d, p, 0, tool, scratch, err));
	BA_TRY(list_kernel(&mine, d, p, 1, tool, scratch, err));
	p->blocks = ba_listing_compare(&base, &mine);
	return 0;
}

int ba_codediff_explain(
	ba_codediff *d, const char *scratch, const volatile sig_atomic_t *stop, ba_error *err)
{
	BA_AUTO_FREE char *program = ba_toolkit_find("nvdisasm");
	const ba_nvdisasm tool = {.program = program, .limit_ns = ONE_LIMIT_NS, .stop = stop};
	int64_t until = ba_now_ns() + ALL_LIMIT_NS;
	if (!program) {
		ba_strv_push(&d->found.notes, "nvdisasm was not found (" BA_TOOLKIT_PLACES
					      "); it would tell the basic blocks that differ");
		return 0;
	}
	for (size_t i = 0; i < d->found.pair_count && ba_now_ns() < until; i++) {
		ba_code_pair *p = &d->found.pairs[i];
		ba_error why;
		if (p->verdict != BA_CODE_CHANGED || p->is_ptx)
			continue;
		int rc = explain_pair(d, p, &tool, scratch, &why);
		if (rc == BA_EINTERRUPTED)
			return ba_fail(err, rc, "%s", why.text);
		if (rc)
			ba_strv_push(&d->found.notes, why.text);
	}
	return 0;
}
