#include "cubin/image.h"

#include "cubin/elf.h"
#include "cubin/fatbin.h"

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

/* ---- PTX ---- */

/* ".align 4 .b8 NAME[24] = {...};" */
static bool is_compilers(const char *declaration)
{
	size_t n = strcspn(declaration, "=;\n");
	const char *name = strstr(declaration, " " BA_COMPILERS_TABLES);
	return name && name < declaration + n;
}

/* A declaration of module scope, beside which `ld.global` is none: what is in such a
 * variable cannot be asked for by name from here. */
static bool declares_variables(const char *text)
{
	static const char *const before[] = {".visible ", ".extern ", ".weak ", ".common "};
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		line += strspn(line, " \t");
		for (size_t i = 0; i < BA_COUNT(before); i++)
			if (ba_text_starts(line, before[i]))
				line += strlen(before[i]);
		bool declares = ba_text_starts(line, ".global ") ||
				ba_text_starts(line, ".const ") || ba_text_starts(line, ".tex ") ||
				ba_text_starts(line, ".surf ");
		if (declares && !is_compilers(line))
			return true;
	}
	return false;
}

static bool has_entry(const char *text, const char *kernel)
{
	size_t n = strlen(kernel);
	for (const char *p = text; (p = strstr(p, ".entry")) != NULL;) {
		p += strlen(".entry");
		const char *name = p + strspn(p, " \t\r\n");
		if (name > p && strncmp(name, kernel, n) == 0 && strchr(" \t\r\n(", name[n]))
			return true;
	}
	return false;
}

static int add_ptx(bool *found, ba_code *out, ba_sha256 *sum, const char *text, const char *kernel,
	ba_error *err)
{
	if (!has_entry(text, kernel))
		return 0;
	if (declares_variables(text))
		return ba_fail(
			err, BA_EINVAL, "its PTX has module variables, whose content is unknown");
	*found = true;
	out->ptx = true;
	ba_sha256_add_string(sum, "ptx");
	ba_sha256_add_string(sum, text);
	return 0;
}

/* ---- fatbins ---- */

typedef struct walk {
	const char *kernel;
	int arch;
	unsigned kind; /* the examined kind */
	bool found;
	/* architecture of the cubin whose code_bytes are set: the newest is used */
	uint32_t code_arch;
} walk;

/* A cubin runs on its own major architecture, from its minor version on. */
static bool is_chosen(const walk *w, const ba_fatbin_entry *e)
{
	if (e->kind != w->kind)
		return false;
	return e->kind == BA_FATBIN_PTX || (e->arch / 10 == w->arch / 10 && e->arch <= w->arch);
}

static int add_cubin(walk *w, ba_code *out, ba_sha256 *sum, uint32_t arch,
	const unsigned char *data, size_t bytes, ba_error *err)
{
	bool found = false;
	ba_code older = *out;
	out->cubin = NULL;
	int rc = ba_cubin_add(&found, out, sum, data, bytes, w->kernel, err);
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
		return add_cubin(w, out, sum, (uint32_t)e->arch, data, bytes, err);
	BA_AUTO_FREE char *text = ba_xmemdup0(data, bytes);
	return add_ptx(&w->found, out, sum, text, w->kernel, err);
}

static int add_fatbin(walk *w, ba_code *out, ba_sha256 *sum, const unsigned char *image,
	size_t bytes, ba_error *err)
{
	ba_fatbin_entry e;
	bool more = true;
	for (size_t at = 0; more;) {
		BA_TRY(ba_fatbin_next(&more, &e, &at, image, bytes, err));
		if (more && is_chosen(w, &e)) {
			BA_TRY(add_entry(w, out, sum, &e, err));
		}
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
		return ba_cubin_add(&w->found, out, sum, image, bytes, w->kernel, err);
	BA_AUTO_FREE char *text = ba_xmemdup0(image, bytes);
	return add_ptx(&w->found, out, sum, text, w->kernel, err);
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
