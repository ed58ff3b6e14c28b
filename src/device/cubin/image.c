#include "cubin/image.h"

#include "cubin/cubin.h"
#include "cubin/fatbin.h"
#include "cubin/ptx.h"

#define WRAPPER_MAGIC 0x466243b1u
#define ELF_MAGIC 0x464c457fu /* "\x7fELF" */

void ba_code_dispose(ba_code *c)
{
	ba_strv_dispose(&c->variables);
	free(c->cubin);
	*c = (ba_code){0};
}

/* ---- sizes ---- */

static uint32_t magic_of(const void *image)
{
	uint32_t magic;
	memcpy(&magic, image, sizeof(magic));
	return magic;
}

static bool is_text(const char *image)
{
	size_t n = 0;
	while (n < 4096 && (unsigned char)image[n] >= '\t' && image[n] != 0x7f)
		n++;
	BA_AUTO_FREE char *start = ba_xstrndup(image, n);
	return strstr(start, ".version") != NULL;
}

size_t ba_image_bytes(const void **image)
{
	const unsigned char *p = *image;
	if (magic_of(p) == WRAPPER_MAGIC) {
		/* cppcheck-suppress pointerSize ; the field holds a pointer */
		memcpy(&p, p + 8, sizeof(p));
		if (!p)
			return 0;
		*image = p;
	}
	switch (magic_of(p)) {
	case BA_FATBIN_MAGIC:
		return ba_fatbin_bytes(p, SIZE_MAX);
	case ELF_MAGIC:
		return ba_elf_bytes(p, SIZE_MAX);
	default:
		return is_text((const char *)p) ? strlen((const char *)p) : 0;
	}
}

typedef struct walk {
	const char *kernel;
	int arch;
	unsigned kind; /* the examined kind */
	bool found;
	/* architecture of the cubin whose code_bytes are set: the newest is used */
	uint32_t code_arch;
} walk;

/* ---- PTX ---- */

/* The name is in the file that a disassembler reads, which the digest names. */
static void add_kernel(ba_sha256 *sum, const ba_kernel_code *k)
{
	ba_sha256_add_string(sum, k->is_ptx ? "ptx" : "cubin");
	ba_sha256_add_string(sum, k->target);
	ba_sha256_add_string(sum, k->name);
	ba_sha256_add_string(sum, k->whole);
}

/* What is in the variables of PTX cannot be asked for by name from here. */
static int add_ptx(bool *found, ba_code *out, ba_sha256 *sum, const void *text, size_t bytes,
	const char *kernel, ba_error *err)
{
	BA_AUTO(ba_graph) ba_graph g = {0};
	BA_AUTO(ba_kernel_code) ba_kernel_code k = {0};
	BA_AUTO(ba_strv) ba_strv variables = {0};
	BA_TRY(ba_ptx_read(&g, text, bytes, err));
	size_t node = ba_graph_find(&g, kernel);
	if (node == SIZE_MAX)
		return 0;
	ba_graph_variables(&variables, &g);
	if (variables.count)
		return ba_fail(
			err, BA_EINVAL, "its PTX has module variables, whose content is unknown");
	ba_graph_kernel(&k, &g, node);
	if (k.open)
		return ba_fail(err, BA_EINVAL, "%s", k.open);
	*found = true;
	out->ptx = true;
	add_kernel(sum, &k);
	return 0;
}

/* ---- cubins ---- */

static void describe_cubin(ba_code *out, const ba_cubin *c, const char *kernel)
{
	for (size_t i = 0; i < c->f.symbol_count; i++) {
		const Elf64_Sym *s = &c->f.symbols[i];
		if (!ba_elf_is_kernel(s) || strcmp(ba_elf_symbol_name(&c->f, i), kernel) != 0)
			continue;
		out->symbol = i;
		out->code_bytes = (size_t)c->f.sections[s->st_shndx].sh_size;
	}
	out->cubin = (unsigned char *)ba_xmemdup0(c->f.data, c->f.bytes);
	out->cubin_bytes = c->f.bytes;
}

/* out->cubin must be NULL. *found does not change if the cubin lacks the kernel. */
static int add_cubin(bool *found, ba_code *out, ba_sha256 *sum, const void *elf, size_t bytes,
	const walk *w, ba_error *err)
{
	BA_AUTO(ba_cubin) ba_cubin c = {0};
	BA_AUTO(ba_kernel_code) ba_kernel_code k = {0};
	BA_TRY(ba_cubin_read(&c, elf, bytes, w->arch, err));
	size_t node = ba_graph_find(&c.g, w->kernel);
	if (node == SIZE_MAX)
		return 0;
	ba_graph_kernel(&k, &c.g, node);
	if (k.open)
		return ba_fail(err, BA_EINVAL, "%s", k.open);
	*found = true;
	add_kernel(sum, &k);
	ba_graph_variables(&out->variables, &c.g);
	describe_cubin(out, &c, w->kernel);
	return 0;
}

/* ---- fatbins ---- */

/* A cubin runs on its own major architecture, from its minor version on. */
static bool is_chosen(const walk *w, const ba_fatbin_entry *e)
{
	if (e->kind != w->kind)
		return false;
	return e->kind == BA_FATBIN_PTX || (e->arch / 10 == w->arch / 10 && e->arch <= w->arch);
}

static int add_newest(walk *w, ba_code *out, ba_sha256 *sum, uint32_t arch,
	const unsigned char *data, size_t bytes, ba_error *err)
{
	bool found = false;
	ba_code older = *out;
	out->cubin = NULL;
	int rc = add_cubin(&found, out, sum, data, bytes, w, err);
	if (found && arch >= w->code_arch) {
		w->code_arch = arch;
		free(older.cubin);
	} else {
		free(out->cubin);
		older.variables = out->variables;
		*out = older;
	}
	w->found = w->found || found;
	return rc;
}

static int add_entry(walk *w, ba_code *out, ba_sha256 *sum, const ba_fatbin_entry *e, ba_error *err)
{
	BA_AUTO_FREE unsigned char *raw = NULL;
	const unsigned char *data;
	size_t bytes;
	BA_TRY(ba_fatbin_unpack(&data, &bytes, &raw, e, err));
	if (e->kind == BA_FATBIN_CUBIN)
		return add_newest(w, out, sum, (uint32_t)e->arch, data, bytes, err);
	return add_ptx(&w->found, out, sum, data, bytes, w->kernel, err);
}

static int add_fatbin(walk *w, ba_code *out, ba_sha256 *sum, const unsigned char *image,
	size_t bytes, ba_error *err)
{
	ba_fatbin_entry e;
	bool more = true;
	for (size_t at = 0; more;) {
		BA_TRY(ba_fatbin_next(&more, &e, &at, image, bytes, err));
		if (more && is_chosen(w, &e))
			BA_TRY(add_entry(w, out, sum, &e, err));
	}
	return 0;
}

/* ---- all of it ---- */

static bool is_forced_to_compile(void)
{
	static const char *const names[] = {"CUDA_FORCE_PTX_JIT", "CUDA_FORCE_JIT"};
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		const char *value = getenv(names[i]);
		if (value && *value && strcmp(value, "0") != 0)
			return true;
	}
	return false;
}

static int add_image(walk *w, ba_code *out, ba_sha256 *sum, const unsigned char *image,
	size_t bytes, ba_error *err)
{
	if (bytes >= 16 && magic_of(image) == BA_FATBIN_MAGIC) {
		w->kind = is_forced_to_compile() ? BA_FATBIN_PTX : BA_FATBIN_CUBIN;
		int rc = add_fatbin(w, out, sum, image, bytes, err);
		if (rc || w->found)
			return rc;
		w->kind = BA_FATBIN_PTX;
		return add_fatbin(w, out, sum, image, bytes, err);
	}
	if (bytes >= 64 && magic_of(image) == ELF_MAGIC)
		return add_cubin(&w->found, out, sum, image, bytes, w, err);
	return add_ptx(&w->found, out, sum, image, bytes, w->kernel, err);
}

int ba_image_code(
	ba_code *out, const void *image, size_t bytes, const char *kernel, int arch, ba_error *err)
{
	BA_AUTO(ba_code) ba_code code = {0};
	walk w = {.kernel = kernel, .arch = arch};
	ba_sha256 sum;
	ba_sha256_init(&sum);
	BA_TRY(bytes ? add_image(&w, &code, &sum, image, bytes, err)
		     : ba_fail(err, BA_EINVAL, "its image has an unknown format"));
	if (!w.found)
		return ba_fail(
			err, BA_EINVAL, "the image that was loaded has no kernel of that name");
	ba_sha256_hex(&sum, code.sha256);
	*out = BA_MOVE(code);
	return 0;
}
