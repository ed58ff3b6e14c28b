/* What a process maps of an executable or library of the host. */
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

/* Code that is still to be compiled has no kernels to compare. */
static int refuse_other(void *context, const ba_image *image, ba_error *err)
{
	return image->kind == BA_IMAGE_OTHER
		       ? ba_fail(err, BA_EUNSUPPORTED, "code that a device linker compiles")
		       : 0;
}

bool ba_host_digest(char out[65], const void *data, size_t bytes)
{
	ba_sha256 sum;
	ba_error ignored;
	BA_AUTO(ba_elf) ba_elf f = {0};
	const Elf64_Ehdr *h = &f.header;
	*out = '\0';
	if (ba_elf_open(&f, data, bytes, NULL) || h->e_machine == BA_ELF_CUDA ||
		(h->e_type != ET_DYN && h->e_type != ET_EXEC) ||
		ba_images_find(data, bytes, refuse_other, NULL, &ignored))
		return false;
	ba_sha256_init(&sum);
	ba_cubin_number(&sum, h->e_machine);
	ba_cubin_number(&sum, h->e_entry);
	for (size_t i = 0; i < f.section_count; i++)
		add_section(&sum, &f, i);
	ba_sha256_hex(&sum, out);
	return true;
}
