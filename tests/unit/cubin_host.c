/* Host code that moved because device code has another size is equal, and nothing else is
 * (tests/suites/moved.cc). */
#include "test.h"

#include "base/elf.h"
#include "cubin/kernels.h"

#define LIBRARY(name) BA_BINARY_DIR "/tests/suites/moved" name ".so"

static void read_library(ba_buf *text, const char *path)
{
	ba_error err;
	if (!ba_fs_exists(path))
		skip();
	assert_int_equal(ba_fs_read(text, path, 1 << 24, &err), 0);
}

static void digest(char out[65], const ba_buf *text)
{
	ba_host_digest(out, text->data, text->len);
	assert_int_equal(strlen(out), 64);
}

static void digest_of(char out[65], const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	read_library(&text, path);
	digest(out, &text);
}

TEST(moved_code_is_equal)
{
	static const char *const others[] = {LIBRARY("_1"), LIBRARY("_2"), LIBRARY("_3"),
		LIBRARY("_4"), LIBRARY("_5"), LIBRARY("_6"), LIBRARY("_7")};
	char base[65], moved[65], other[65];
	digest_of(base, LIBRARY("100"));
	digest_of(moved, LIBRARY("9100"));
	assert_string_equal(base, moved);
	for (size_t i = 0; i < BA_COUNT(others); i++) {
		digest_of(other, others[i]);
		assert_string_not_equal(base, other);
	}
}

/* Is the byte of an address of device code? Its kernels have names. */
static bool leads_to_device_code(const ba_elf *f, const Elf64_Shdr *table, size_t byte)
{
	Elf64_Rela r;
	memcpy(&r, f->data + table->sh_offset + byte / sizeof(r) * sizeof(r), sizeof(r));
	for (size_t i = 0; i < f->section_count; i++)
		if (strcmp(ba_elf_section_name(f, i), ".nv_fatbin") == 0)
			return byte % sizeof(r) >= offsetof(Elf64_Rela, r_addend) &&
			       (uint64_t)r.r_addend - f->sections[i].sh_addr <
				       f->sections[i].sh_size;
	return false;
}

/* A bit of every byte that a process maps. Not: what the loader overwrites, how code is unwound, and
 * what names the build. */
TEST(each_other_byte_counts)
{
	static const char *const counted[] = {".text", ".plt", ".plt.got", ".rodata", ".init",
		".dynsym", ".dynstr", ".tdata", ".gcc_except_table"};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_elf f = {0};
	ba_error err;
	char base[65], other[65];
	size_t tried = 0;
	read_library(&text, LIBRARY("9100"));
	digest(base, &text);
	assert_int_equal(ba_elf_open(&f, text.data, text.len, &err), 0);
	for (size_t i = 0; i < f.section_count; i++) {
		const char *name = ba_elf_section_name(&f, i);
		const Elf64_Shdr *s = &f.sections[i];
		bool table = s->sh_type == SHT_RELA && s->sh_flags & SHF_ALLOC;
		if (!table && !BA_ANY(counted, BA_COUNT(counted), one, strcmp(*one, name) == 0))
			continue;
		for (size_t k = 0; k < s->sh_size; k++) {
			if (table && leads_to_device_code(&f, s, k))
				continue;
			char *byte = text.data + s->sh_offset + k, was = *byte;
			*byte ^= (char)(1 << (tried++ % 8));
			digest(other, &text);
			*byte = was;
			if (strcmp(base, other) == 0)
				fail_msg("byte %zu of %s", k, name);
		}
	}
	assert_true(tried > 2000);
	ba_elf_close(&f);
}
