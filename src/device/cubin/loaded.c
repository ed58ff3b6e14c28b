#include "cubin/cubin.h"

/* Sections that are mapped, but only name the build or hold device code. */
static bool is_left_out(const char *name)
{
	static const char *const names[] = {
		".note.gnu.build-id", ".nv_fatbin", "__nv_relfatbin", ".gnu_debuglink"};
	return BA_ANY(names, BA_COUNT(names), one, strcmp(name, *one) == 0);
}

/* Names of anonymous namespaces and of static functions have a hash of the file. */
static void clear_hashes(char *data, size_t bytes)
{
	static const char *const marks[] = {"_GLOBAL__N__", "_INTERNAL_", "__nv_static_"};
	enum { DIGITS = 8 };
	for (size_t i = 0; i < BA_COUNT(marks); i++) {
		char *at = data, *end = data + bytes;
		while ((at = memmem(at, (size_t)(end - at), marks[i], strlen(marks[i])))) {
			at += strlen(marks[i]);
			/* a length precedes the hash of a static function */
			char *hash = at + strspn(at, "0123456789");
			hash = hash > at && hash[0] == '_' && hash[1] == '_' ? hash + 2 : at;
			if (hash + DIGITS < end && strspn(hash, "0123456789abcdef") >= DIGITS)
				memset(hash, '0', DIGITS);
		}
	}
}

static void add_section(ba_sha256 *sum, const ba_elf *f, size_t section)
{
	const Elf64_Shdr *s = &f->sections[section];
	const char *name = ba_elf_section_name(f, section);
	const unsigned char *content = ba_elf_content(f, section);
	if (!(s->sh_flags & SHF_ALLOC))
		return;
	ba_sha256_add_string(sum, name);
	ba_cubin_number(sum, s->sh_flags);
	if (is_left_out(name))
		return;
	ba_cubin_number(sum, s->sh_addr);
	ba_cubin_number(sum, s->sh_size);
	if (!content)
		return;
	BA_AUTO_FREE char *copy = ba_xmemdup0(content, s->sh_size);
	clear_hashes(copy, s->sh_size);
	ba_sha256_add(sum, copy, s->sh_size);
}

static bool add_host(ba_sha256 *sum, const void *data, size_t bytes)
{
	BA_AUTO(ba_elf) ba_elf f = {0};
	const Elf64_Ehdr *h = &f.header;
	if (ba_elf_open(&f, data, bytes, NULL) || h->e_machine == BA_ELF_CUDA ||
		(h->e_type != ET_DYN && h->e_type != ET_EXEC))
		return false;
	ba_cubin_number(sum, h->e_machine);
	ba_cubin_number(sum, h->e_entry);
	for (size_t i = 0; i < f.section_count; i++)
		add_section(sum, &f, i);
	return true;
}

/* In the order of their digests, because their order in the file does not matter. */
static bool add_kernels(ba_sha256 *sum, const ba_kernel_codes *codes)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_EACH (const ba_kernel_code, k, codes->items, codes->count) {
		if (k->open)
			return false;
		ba_strv_push_take(&lines,
			ba_xprintf("%s %s %d %s", k->whole, k->target, (int)k->is_ptx, k->name));
	}
	ba_strv_sort(&lines);
	for (size_t i = 0; i < lines.count; i++)
		ba_sha256_add(sum, lines.items[i], strlen(lines.items[i]) + 1);
	return true;
}

/* Code that is still to be compiled has no kernels to compare. */
static int refuse_other(void *context, const ba_image *image, ba_error *err)
{
	(void)context;
	return image->kind == BA_IMAGE_OTHER
		       ? ba_fail(err, BA_EUNSUPPORTED, "code that a device linker compiles")
		       : 0;
}

bool ba_loaded_digest(char out[65], const void *data, size_t bytes)
{
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	ba_error ignored;
	ba_sha256 sum;
	ba_sha256_init(&sum);
	out[0] = '\0';
	if (!add_host(&sum, data, bytes) ||
		ba_images_find(data, bytes, refuse_other, NULL, &ignored) ||
		ba_kernels_find(&codes, NULL, data, bytes, &ignored) || !add_kernels(&sum, &codes))
		return false;
	ba_sha256_hex(&sum, out);
	return true;
}
