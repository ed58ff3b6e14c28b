#include "cubin/image.h"

#include "cubin/cubin.h"

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
	ba_code *out;
	ba_sha256 *sum;
	const char *kernel;
	int arch;
	bool compiles; /* the driver uses PTX, even beside a cubin */
	bool found;
	unsigned code_arch; /* of the cubin whose code_bytes are set: the newest is used */
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

/* Nothing is added if it lacks the kernel. What is in the variables of PTX cannot be asked for
 * by name from here. */
static int add_image(void *context, const ba_image *image, ba_error *err)
{
	walk *w = context;
	ba_code *out = w->out;
	BA_AUTO(ba_graph) ba_graph g = {0};
	BA_AUTO(ba_kernel_code) ba_kernel_code k = {0};
	size_t variables = out->variables.count;
	bool is_ptx = image->kind == BA_IMAGE_PTX;
	if (is_ptx ? w->found && !w->compiles : w->compiles || image->kind == BA_IMAGE_OTHER)
		return 0;
	BA_TRY(ba_graph_read(&g, image, w->arch, err));
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
	add_kernel(w->sum, &k);
	w->found = true;
	out->ptx = out->ptx || is_ptx;
	unsigned arch = (unsigned)strtoul(g.target + strlen("sm_"), NULL, 10);
	if (is_ptx || arch < w->code_arch)
		return 0;
	w->code_arch = arch;
	free(out->cubin);
	out->cubin = (unsigned char *)ba_xmemdup0(image->data, image->bytes);
	out->cubin_bytes = image->bytes;
	out->symbol = k.symbol;
	out->code_bytes = g.nodes[node].metrics.code_bytes;
	return 0;
}

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

int ba_image_code(
	ba_code *out, const void *image, size_t bytes, const char *kernel, int arch, ba_error *err)
{
	BA_AUTO(ba_code) ba_code code = {0};
	ba_sha256 sum;
	walk w = {.out = &code, .sum = &sum, .kernel = kernel, .arch = arch};
	ba_sha256_init(&sum);
	/* other images than fatbins offer the driver no choice */
	w.compiles = bytes >= 16 && magic_of(image) == BA_FATBIN_MAGIC && is_forced_to_compile();
	BA_TRY(bytes ? ba_images_find(image, bytes, arch, add_image, &w, err)
		     : ba_fail(err, BA_EINVAL, "its image has an unknown format"));
	if (!w.found)
		return ba_fail(
			err, BA_EINVAL, "the image that was loaded has no kernel of that name");
	ba_sha256_hex(&sum, code.sha256);
	*out = BA_MOVE(code);
	return 0;
}
