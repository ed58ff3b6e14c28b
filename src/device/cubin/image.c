#include "cubin/image.h"

#include "base/elf.h"
#include "cubin/fatbin.h"
#include "cubin/graph.h"

#define WRAPPER_MAGIC 0x466243b1u
#define ELF_MAGIC 0x464c457fu /* "\x7fELF" */
#define ELF_MOST ((size_t)1 << 30)

BA_OWNS(ba_code, c, ba_strv_dispose(&c->variables), free(c->cubin))

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
		return ba_elf_bytes(p, ELF_MOST);
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

/* ---- one text or cubin ---- */

/* The name is in the file that a disassembler reads, which the digest names. */
static void add_kernel(ba_sha256 *sum, const ba_kernel_code *k)
{
	ba_sha256_add_string(sum, k->is_ptx ? "ptx" : "cubin");
	ba_sha256_add_string(sum, k->target);
	ba_sha256_add_string(sum, k->name);
	ba_sha256_add_string(sum, k->whole);
}

static void keep_cubin(ba_code *out, const void *data, size_t bytes, const ba_node *kernel)
{
	free(out->cubin);
	out->cubin = (unsigned char *)ba_xmemdup0(data, bytes);
	out->cubin_bytes = bytes;
	out->symbol = kernel->symbol;
	out->code_bytes = kernel->metrics.code_bytes;
}

/* Nothing is added if it lacks the kernel. What is in the variables of PTX cannot be asked for
 * by name from here. */
static int add_one(walk *w, ba_code *out, ba_sha256 *sum, bool is_ptx, uint32_t arch,
	const void *data, size_t bytes, ba_error *err)
{
	BA_AUTO(ba_graph) ba_graph g = {0};
	BA_AUTO(ba_kernel_code) ba_kernel_code k = {0};
	size_t variables = out->variables.count;
	BA_TRY(is_ptx ? ba_ptx_read(&g, data, bytes, err)
		      : ba_cubin_read(&g, data, bytes, w->arch, err));
	size_t node = ba_graph_find(&g, w->kernel);
	if (node == SIZE_MAX)
		return 0;
	ba_graph_variables(&out->variables, &g);
	if (is_ptx && out->variables.count > variables)
		return ba_fail(
			err, BA_EINVAL, "its PTX has module variables, whose content is unknown");
	ba_graph_kernel(&k, &g, node);
	if (k.open)
		return ba_fail(err, BA_EINVAL, "%s", k.open);
	add_kernel(sum, &k);
	w->found = true;
	out->ptx = out->ptx || is_ptx;
	if (is_ptx || arch < w->code_arch)
		return 0;
	w->code_arch = arch;
	keep_cubin(out, data, bytes, &g.nodes[node]);
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

static int add_entry(walk *w, ba_code *out, ba_sha256 *sum, const ba_fatbin_entry *e, ba_error *err)
{
	BA_AUTO_FREE unsigned char *raw = NULL;
	const unsigned char *data;
	size_t bytes;
	BA_TRY(ba_fatbin_unpack(&data, &bytes, &raw, e, err));
	return add_one(w, out, sum, e->kind == BA_FATBIN_PTX, (uint32_t)e->arch, data, bytes, err);
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
	bool is_ptx = bytes < 64 || magic_of(image) != ELF_MAGIC;
	return add_one(w, out, sum, is_ptx, 0, image, bytes, err);
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
