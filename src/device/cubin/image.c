#include "cubin/image.h"

#include <assert.h>

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define ELF_MAGIC 0x464c457fu /* "\x7fELF" */
#define RAW_MOST ((size_t)1 << 30)
#define RATIO_MOST 4096u /* largest ratio of raw to compressed size; more means damage */

typedef struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* that follow */
} fatbin_header;

enum { ENTRY_PTX = 1, ENTRY_CUBIN = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };

typedef struct entry_header {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes; /* with padding */
	uint32_t compressed_bytes, options_at;
	uint16_t minor, major;
	uint32_t arch;
	uint32_t name_at, name_bytes;
	uint64_t flags, zero;
	uint64_t raw_bytes;
} entry_header;

static_assert(sizeof(fatbin_header) == 16, "as nvcc writes it");
static_assert(sizeof(entry_header) == 64, "as nvcc writes it");

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

/* the end of the last header table or section; the section table's offset is at 0x28 */
static size_t elf_bytes(const unsigned char *elf)
{
	uint64_t sections_at, segments_at, end;
	uint16_t segment_bytes, segment_count, section_bytes, section_count;
	memcpy(&segments_at, elf + 0x20, 8);
	memcpy(&sections_at, elf + 0x28, 8);
	memcpy(&segment_bytes, elf + 0x36, 2);
	memcpy(&segment_count, elf + 0x38, 2);
	memcpy(&section_bytes, elf + 0x3a, 2);
	memcpy(&section_count, elf + 0x3c, 2);
	end = sections_at + (uint64_t)section_bytes * section_count;
	uint64_t other = segments_at + (uint64_t)segment_bytes * segment_count;
	end = other > end ? other : end;
	for (uint16_t i = 0; section_bytes == 64 && i < section_count; i++) {
		uint32_t type;
		uint64_t at, bytes;
		const unsigned char *header = elf + sections_at + i * (size_t)64;
		memcpy(&type, header + 4, 4);
		memcpy(&at, header + 0x18, 8);
		memcpy(&bytes, header + 0x20, 8);
		/* NOBITS sections take no room in the file */
		if (type != 8 && at + bytes > end)
			end = at + bytes;
	}
	return end < RAW_MOST ? (size_t)end : 0;
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
	fatbin_header h;
	switch (magic_of(p)) {
	case FATBIN_MAGIC:
		memcpy(&h, p, sizeof(h));
		return h.bytes < RAW_MOST ? h.header_bytes + (size_t)h.bytes : 0;
	case ELF_MAGIC:
		return elf_bytes(p);
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
	unsigned kind; /* the examined ENTRY_... kind */
	bool found;
	/* architecture of the cubin whose code_bytes are set: the newest is used */
	uint32_t code_arch;
} walk;

/* A cubin runs on its own major architecture, from its minor version on. */
static bool is_chosen(const walk *w, const entry_header *e)
{
	if (e->kind != w->kind)
		return false;
	return e->kind == ENTRY_PTX ||
	       ((int)e->arch / 10 == w->arch / 10 && (int)e->arch <= w->arch);
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

static int add_entry(walk *w, ba_code *out, ba_sha256 *sum, const entry_header *e,
	const unsigned char *data, ba_error *err)
{
	BA_AUTO_FREE unsigned char *raw = NULL;
	BA_AUTO_FREE char *text = NULL;
	size_t bytes = (size_t)e->bytes;
	if (e->flags & (FLAG_LZ4 | FLAG_ZSTD) || e->raw_bytes) {
		size_t packed = e->compressed_bytes ? e->compressed_bytes : bytes;
		if (packed > e->bytes || e->raw_bytes > RAW_MOST ||
			e->raw_bytes / RATIO_MOST > packed)
			return ba_fail(err, BA_EINVAL, "its fatbin is damaged");
		BA_TRY(ba_image_inflate(&raw, data, packed, (size_t)e->raw_bytes, err));
		data = raw;
		bytes = (size_t)e->raw_bytes;
	}
	if (e->kind == ENTRY_CUBIN)
		return add_cubin(w, out, sum, e->arch, data, bytes, err);
	text = ba_xmemdup0(data, bytes);
	return add_ptx(&w->found, out, sum, text, w->kernel, err);
}

static int add_fatbin(walk *w, ba_code *out, ba_sha256 *sum, const unsigned char *image,
	size_t bytes, ba_error *err)
{
	fatbin_header h;
	memcpy(&h, image, sizeof(h));
	size_t at = h.header_bytes;
	while (at < bytes) {
		entry_header e;
		if (bytes - at < sizeof(e))
			return ba_fail(err, BA_EINVAL, "its fatbin is damaged");
		memcpy(&e, image + at, sizeof(e));
		if (e.header_bytes < sizeof(e) || e.header_bytes > bytes - at ||
			e.bytes > bytes - at - e.header_bytes)
			return ba_fail(err, BA_EINVAL, "its fatbin is damaged");
		if (is_chosen(w, &e)) {
			BA_TRY(add_entry(w, out, sum, &e, image + at + e.header_bytes, err));
		}
		at += e.header_bytes + (size_t)e.bytes;
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
	if (bytes >= sizeof(fatbin_header) && magic_of(image) == FATBIN_MAGIC) {
		w->kind = is_forced_to_compile() ? ENTRY_PTX : ENTRY_CUBIN;
		int rc = add_fatbin(w, out, sum, image, bytes, err);
		if (rc || w->found)
			return rc;
		w->kind = ENTRY_PTX;
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
