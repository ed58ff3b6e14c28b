/* Finds images by their magic numbers, wherever they are: in sections of executables, in
 * members of archives, or as whole files. */
#include "cubin/cubin.h"

#define PTX_HEAD ((size_t)4096)

typedef struct search {
	const unsigned char *file;
	size_t bytes;
	int gpu;	    /* as of ba_images_find() */
	ba_image_kind kind; /* images of this kind are wanted */
	unsigned met;	    /* bits of the kinds that there are */
	ba_image_fn *each;
	void *context;
} search;

static int give(
	search *s, ba_image_kind kind, const void *data, size_t bytes, size_t at, ba_error *err)
{
	const ba_image image = {.kind = kind, .data = data, .bytes = bytes, .at = at};
	s->met |= 1u << kind;
	return kind == s->kind ? s->each(s->context, &image, err) : 0;
}

static ba_image_kind kind_of_elf(const unsigned char *elf)
{
	Elf64_Half type;
	memcpy(&type, elf + offsetof(Elf64_Ehdr, e_type), sizeof(type));
	return type == ET_REL ? BA_IMAGE_OBJECT : BA_IMAGE_CUBIN;
}

static bool is_cubin(const unsigned char *data, size_t bytes)
{
	Elf64_Half machine;
	if (bytes < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&machine, data + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
	return machine == BA_ELF_CUDA;
}

/* ---- fatbins ---- */

/* A cubin runs on its own major architecture, from its minor version on. */
static bool is_for_gpu(const search *s, const ba_fatbin_entry *e)
{
	return !s->gpu || e->kind != BA_FATBIN_CUBIN ||
	       (e->arch / 10 == s->gpu / 10 && e->arch <= s->gpu);
}

static int search_entry(search *s, const ba_fatbin_entry *e, ba_error *err)
{
	BA_AUTO_FREE unsigned char *owned = NULL;
	const unsigned char *data = NULL;
	size_t bytes = 0, at = (size_t)(e->data - s->file);
	ba_image_kind kind = e->kind == BA_FATBIN_PTX ? BA_IMAGE_PTX : BA_IMAGE_OTHER;
	if (e->kind != BA_FATBIN_CUBIN && kind != s->kind)
		return give(s, kind, NULL, 0, at, err);
	/* only a cubin itself tells whether it is linked */
	if (e->kind == BA_FATBIN_CUBIN && s->kind > BA_IMAGE_OBJECT)
		return 0;
	if (kind != BA_IMAGE_OTHER || e->kind == BA_FATBIN_CUBIN)
		BA_TRY(ba_fatbin_unpack(&data, &bytes, &owned, e, err));
	if (e->kind == BA_FATBIN_CUBIN && !is_cubin(data, bytes))
		return ba_cubin_damaged(err);
	if (e->kind == BA_FATBIN_CUBIN)
		kind = kind_of_elf(data);
	return give(s, kind, data, bytes, at, err);
}

static int search_fatbin(search *s, size_t *at, ba_error *err)
{
	const unsigned char *fatbin = s->file + *at;
	size_t bytes = ba_fatbin_bytes(fatbin, s->bytes - *at);
	bool more = true;
	if (bytes == 0)
		return ba_fail(err, BA_EINVAL, "truncated fatbin at offset %zu", *at);
	for (size_t entry = 0; more;) {
		ba_fatbin_entry e;
		int rc = ba_fatbin_next(&more, &e, &entry, fatbin, bytes, err);
		if (rc == 0 && more && is_for_gpu(s, &e))
			rc = search_entry(s, &e, err);
		if (rc == BA_EINVAL)
			return ba_fail_context(err, "fatbin at offset %zu", *at);
		BA_TRY(rc);
	}
	*at += bytes;
	return 0;
}

/* ---- files ---- */

static int search_cubin(search *s, size_t *at, ba_error *err)
{
	const unsigned char *elf = s->file + *at;
	size_t bytes = ba_elf_bytes(elf, s->bytes - *at);
	if (bytes == 0)
		return ba_fail(err, BA_EINVAL, "truncated cubin at offset %zu", *at);
	BA_TRY(give(s, kind_of_elf(elf), elf, bytes, *at, err));
	*at += bytes;
	return 0;
}

/* The next place from `at` on that begins with those bytes, or the file's end. */
static size_t next(const search *s, size_t at, const char *start, size_t bytes)
{
	const unsigned char *p = memmem(s->file + at, s->bytes - at, start, bytes);
	return p ? (size_t)(p - s->file) : s->bytes;
}

/* Magic numbers of fatbins (with version 1 and a header of 16 bytes) and of ELF. */
static int search_binary(search *s, ba_error *err)
{
	static const char fatbin[] = "\x50\xed\x55\xba\x01\x00\x10\x00";
	size_t next_fatbin = 0, next_elf = 0;
	for (size_t at = 0; at < s->bytes;) {
		if (next_fatbin < at || at == 0)
			next_fatbin = next(s, at, fatbin, sizeof(fatbin) - 1);
		if (next_elf < at || at == 0)
			next_elf = next(s, at, ELFMAG, SELFMAG);
		at = next_fatbin < next_elf ? next_fatbin : next_elf;
		if (at == s->bytes)
			return 0;
		if (at == next_fatbin && !ba_fatbin_begins(s->file + at, s->bytes - at)) {
			at++; /* a program that knows the magic number, as this one */
		} else if (at == next_fatbin) {
			BA_TRY(search_fatbin(s, &at, err));
		} else if (is_cubin(s->file + at, s->bytes - at)) {
			BA_TRY(search_cubin(s, &at, err));
		} else {
			at++;
		}
	}
	return 0;
}

static bool is_ptx(const unsigned char *data, size_t bytes)
{
	size_t n = bytes < PTX_HEAD ? bytes : PTX_HEAD;
	return memchr(data, '\0', n) == NULL && memmem(data, n, ".version", 8) &&
	       memmem(data, n, ".target", 7);
}

static bool is_binary(const unsigned char *data, size_t bytes)
{
	return (bytes >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0) ||
	       (bytes >= 8 && memcmp(data, "!<arch>\n", 8) == 0) ||
	       (bytes >= 4 && memcmp(data, "\x50\xed\x55\xba", 4) == 0);
}

int ba_images_find(
	const void *data, size_t bytes, int gpu, ba_image_fn *each, void *context, ba_error *err)
{
	search s = {data, bytes, gpu, BA_IMAGE_CUBIN, 1, each, context};
	if (!is_binary(data, bytes)) {
		s.kind = BA_IMAGE_PTX;
		return is_ptx(data, bytes) ? give(&s, BA_IMAGE_PTX, data, bytes, 0, err) : 0;
	}
	if (bytes >= 4 && memcmp(data, "\x50\xed\x55\xba", 4) == 0 && !ba_fatbin_bytes(data, bytes))
		return ba_fail(err, BA_EINVAL, "truncated fatbin at offset 0");
	for (; s.kind <= BA_IMAGE_OTHER; s.kind++)
		if (s.met & 1u << s.kind)
			BA_TRY(search_binary(&s, err));
	return 0;
}

/* ---- kernels ---- */

int ba_graph_read(ba_graph *out, const ba_image *image, int gpu, ba_error *err)
{
	return image->kind == BA_IMAGE_PTX
		       ? ba_ptx_read(out, image->data, image->bytes, err)
		       : ba_cubin_read(out, image->data, image->bytes, gpu, err);
}

int ba_kernels_read(ba_kernel_codes *out, const ba_image *image, ba_error *err)
{
	BA_AUTO(ba_graph) ba_graph g = {0};
	if (image->kind == BA_IMAGE_OTHER)
		return 0;
	BA_TRY(ba_graph_read(&g, image, 0, err));
	ba_graph_kernels(out, &g);
	return 0;
}

typedef struct collection {
	ba_kernel_codes found;
	size_t images;
} collection;

static int collect(void *context, const ba_image *image, ba_error *err)
{
	collection *c = context;
	c->images++;
	int rc = ba_kernels_read(&c->found, image, err);
	return rc == BA_EINVAL ? ba_fail_context(err, "image at offset %zu", image->at) : rc;
}

/* Moves kernels to `out`, without those of objects that are also linked, and without
 * equal ones. Linked ones come first. */
static void keep_once(ba_kernel_codes *out, ba_kernel_codes *found)
{
	BA_AUTO(ba_names) ba_names seen = {0};
	BA_AUTO(ba_strv) ba_strv keys = {0};
	BA_EACH (ba_kernel_code, k, found->items, found->count) {
		const char *linked = k->is_ptx ? "ptx" : "linked";
		BA_AUTO_FREE char *name = ba_xprintf("%s %s %s", linked, k->target, k->mangled);
		BA_AUTO_FREE char *whole = ba_xprintf("%s %s", name, k->whole);
		bool known = ba_names_find(&seen, whole) != BA_NAMES_NONE ||
			     (!k->is_linked && ba_names_find(&seen, name) != BA_NAMES_NONE);
		if (known)
			continue;
		ba_strv_push_take(&keys, BA_TAKE(whole));
		ba_names_add(&seen, keys.items[keys.count - 1]);
		if (k->is_linked && ba_names_find(&seen, name) == BA_NAMES_NONE) {
			ba_strv_push_take(&keys, BA_TAKE(name));
			ba_names_add(&seen, keys.items[keys.count - 1]);
		}
		*BA_PUSH(out->items, out->count, out->capacity) = BA_MOVE(*k);
	}
}

int ba_kernels_find(
	ba_kernel_codes *out, size_t *images, const void *data, size_t bytes, ba_error *err)
{
	collection c = {0};
	int rc = ba_images_find(data, bytes, 0, collect, &c, err);
	if (rc == 0) {
		if (images)
			*images = c.images;
		keep_once(out, &c.found);
	}
	ba_kernel_codes_dispose(&c.found);
	return rc;
}
