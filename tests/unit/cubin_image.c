/* Device code told apart: images made here, since no toolkit is needed to test. */
#include "test.h"

#include <elf.h>

#include "base/buf.h"
#include "base/base.h"
#include "cubin/image.h"

#define KERNEL "_Z5scalePf"

/* ---- a cubin of two kernels ---- */

typedef struct recipe {
	const char *code, *other_code; /* machine code of both */
	const char *note;	       /* of the tools */
	const char *table;	       /* initial values of a variable */
	const char *other;	       /* name of the other kernel */
	bool other_first;
} recipe;

static const recipe plain = {
	"0123456789abcdef", "fedcba9876543210", "nvcc -O3", "tab0", "_Z5otherPf", false};

typedef struct writer {
	ba_buf file, names, strings;
	Elf64_Shdr sections[16];
	Elf64_Sym symbols[16];
	size_t section_count, symbol_count;
} writer;

static uint32_t name_in(ba_buf *strings, const char *name)
{
	uint32_t at = (uint32_t)strings->len;
	ba_buf_put(strings, name, strlen(name) + 1);
	return at;
}

static size_t section(writer *w, const char *name, uint32_t type, const void *data, size_t bytes)
{
	while (w->file.len % 8)
		ba_buf_putc(&w->file, '\0');
	w->sections[w->section_count] = (Elf64_Shdr){.sh_name = name_in(&w->names, name),
		.sh_type = type,
		.sh_offset = w->file.len,
		.sh_size = bytes};
	ba_buf_put(&w->file, data, bytes);
	return w->section_count++;
}

static void symbol(
	writer *w, const char *name, unsigned type, unsigned other, size_t in, size_t bytes)
{
	w->symbols[w->symbol_count++] = (Elf64_Sym){.st_name = name_in(&w->strings, name),
		.st_info = ELF64_ST_INFO(STB_GLOBAL, type),
		.st_other = (unsigned char)other,
		.st_shndx = (uint16_t)in,
		.st_size = bytes};
}

static void kernel(writer *w, const char *name, const char *code)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, ".text.%s", name);
	size_t in = section(w, text.data, SHT_PROGBITS, code, strlen(code));
	symbol(w, name, STT_FUNC, 0x10, in, strlen(code));
	/* a record that names the kernel's symbol by its number */
	const unsigned char info[] = {
		4, 0x0a, 8, 0, (unsigned char)w->symbol_count, 0, 0, 0, 0x10, 2, 8, 0};
	ba_buf_clear(&text);
	ba_buf_printf(&text, ".nv.info.%s", name);
	section(w, text.data, 0x70000000, info, sizeof(info));
}

static void make_cubin(ba_buf *out, const recipe *r)
{
	writer w = {.file = BA_BUF_INIT, .names = BA_BUF_INIT, .strings = BA_BUF_INIT};
	Elf64_Ehdr h = {.e_machine = 190, .e_ehsize = sizeof(h), .e_shentsize = sizeof(Elf64_Shdr)};
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	ba_buf_put(&w.file, &h, sizeof(h));
	section(&w, "", SHT_NULL, "", 0);
	symbol(&w, "", 0, 0, 0, 0);
	section(&w, ".note.nv.tkinfo", SHT_NOTE, r->note, strlen(r->note));
	if (r->other_first)
		kernel(&w, r->other, r->other_code);
	kernel(&w, KERNEL, r->code);
	if (!r->other_first)
		kernel(&w, r->other, r->other_code);
	size_t table = section(&w, ".nv.constant3", SHT_PROGBITS, r->table, 4);
	symbol(&w, "table", STT_OBJECT, 0, table, 4);
	size_t strings = section(&w, ".strtab", SHT_STRTAB, w.strings.data, w.strings.len);
	size_t symbols =
		section(&w, ".symtab", SHT_SYMTAB, w.symbols, w.symbol_count * sizeof(*w.symbols));
	w.sections[symbols].sh_link = (uint32_t)strings;
	uint32_t own = name_in(&w.names, ".shstrtab");
	size_t names = section(&w, "", SHT_STRTAB, w.names.data, w.names.len);
	w.sections[names].sh_name = own;
	while (w.file.len % 8)
		ba_buf_putc(&w.file, '\0');
	h.e_shoff = w.file.len;
	h.e_shnum = (uint16_t)w.section_count;
	h.e_shstrndx = (uint16_t)names;
	ba_buf_put(&w.file, w.sections, w.section_count * sizeof(*w.sections));
	memcpy(w.file.data, &h, sizeof(h));
	ba_buf_put(out, w.file.data, w.file.len);
	ba_buf_dispose(&w.file);
	ba_buf_dispose(&w.names);
	ba_buf_dispose(&w.strings);
}

static void digest(char out[65], const void *image, size_t bytes)
{
	BA_AUTO(ba_code) ba_code code = {0};
	ba_error err = {0};
	const void *at = image;
	assert_int_equal(ba_image_bytes(&at), bytes);
	if (ba_image_code(&code, image, bytes, KERNEL, 90, &err))
		fail_msg("%s", err.text);
	memcpy(out, code.sha256, 65);
}

static void digest_of(char out[65], const recipe *r)
{
	BA_AUTO(ba_buf) ba_buf image = BA_BUF_INIT;
	make_cubin(&image, r);
	digest(out, image.data, image.len);
}

/* Every byte of its first `most` wrong in turn, and every length of these: an error or a digest. */
static void damage(ba_buf *image, size_t most)
{
	for (size_t i = 0; i < most; i++) {
		BA_AUTO(ba_code) ba_code code = {0}, cut = {0};
		BA_AUTO(ba_buf) ba_buf less = BA_BUF_INIT;
		image->data[i] = (char)~image->data[i];
		ba_image_code(&code, image->data, image->len, KERNEL, 90, NULL);
		image->data[i] = (char)~image->data[i];
		ba_buf_put(&less, image->data, i);
		ba_image_code(&cut, less.data, i, KERNEL, 90, NULL);
	}
}

/* ---- cubins ---- */

TEST(what_the_kernel_depends_on_changes_its_digest_and_nothing_else)
{
	recipe rows[7] = {plain, plain, plain, plain, plain, plain, plain};
	char expected[65], found[65];
	rows[0].note = "nvcc -O3 -I/somewhere/else";
	rows[1].other_code = "another instruct";
	rows[2].other = "_Z9something_elsePf";
	rows[3].other_first = true;
	rows[4].code = "0123456789abcdeF";
	rows[5].code = "0123456789abcdef+";
	rows[6].table = "tab1";
	digest_of(expected, &plain);
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		digest_of(found, &rows[i]);
		assert_int_equal(strcmp(found, expected) != 0, i > 3);
	}
}

/* ptxas wrote it: `size` of its section .text._Z5scalePf is 0x180 */
TEST(the_size_of_its_machine_code_is_known)
{
	BA_AUTO(ba_buf) ba_buf image = BA_BUF_INIT;
	BA_AUTO(ba_code) ba_code code = {0};
	ba_error err = {0};
	if (ba_fs_read(&image, BA_SOURCE_DIR "/tests/fuzz/corpus/cubin/k.cubin", 1 << 20, &err) ||
		ba_image_code(&code, image.data, image.len, KERNEL, 90, &err))
		fail_msg("%s", err.text);
	assert_int_equal(code.code_bytes, 0x180);
	assert_int_equal(code.cubin_bytes, image.len);
	/* readelf -s: the number of FUNC _Z5scalePf */
	assert_int_equal(code.symbol, 10);
}

TEST(a_damaged_cubin_is_an_error_or_another_code)
{
	BA_AUTO(ba_buf) ba_buf image = BA_BUF_INIT;
	make_cubin(&image, &plain);
	damage(&image, image.len);
}

/* ---- fatbins ---- */

static void put_entry(ba_buf *out, unsigned kind, unsigned arch, const void *data, size_t bytes,
	size_t raw_bytes, uint64_t flags)
{
	const size_t padded = (bytes + 7) & ~(size_t)7;
	struct {
		uint16_t kind, version;
		uint32_t header_bytes;
		uint64_t bytes;
		uint32_t compressed_bytes, options_at;
		uint16_t minor, major;
		uint32_t arch, name_at, name_bytes;
		uint64_t flags, zero, raw_bytes;
	} h = {(uint16_t)kind, 0x101, sizeof(h), padded, raw_bytes ? (uint32_t)bytes : 0, 0, 8, 1,
		arch, 0, 0, flags, 0, raw_bytes};
	ba_buf_put(out, &h, sizeof(h));
	ba_buf_put(out, data, bytes);
	ba_buf_pad(out, '\0', padded - bytes);
}

static void end_fatbin(ba_buf *out, const ba_buf *entries)
{
	const struct {
		uint32_t magic;
		uint16_t version, header_bytes;
		uint64_t bytes;
	} h = {0xba55ed50, 1, 16, entries->len};
	ba_buf_put(out, &h, sizeof(h));
	ba_buf_put(out, entries->data, entries->len);
}

static const char ptx[] =
	".version 9.0\n.target sm_90\n.visible .entry " KERNEL "(\n.param .u64 p)\n{\n\tret;\n}\n";

TEST(of_a_fatbin_the_cubin_of_the_architecture_counts)
{
	char expected[65], found[65];
	recipe changed = plain;
	changed.code = "for another arch";
	BA_AUTO(ba_buf) ba_buf right = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf wrong = BA_BUF_INIT;
	make_cubin(&right, &plain);
	make_cubin(&wrong, &changed);
	digest(expected, right.data, right.len);
	for (unsigned arch = 80; arch <= 100; arch += 20) {
		BA_AUTO(ba_buf) ba_buf entries = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf fatbin = BA_BUF_INIT;
		put_entry(&entries, 2, arch, wrong.data, wrong.len, 0, 0x11);
		put_entry(&entries, 2, 90, right.data, right.len, 0, 0x11);
		put_entry(&entries, 1, 90, ptx, sizeof(ptx), 0, 0x11);
		end_fatbin(&fatbin, &entries);
		digest(found, fatbin.data, fatbin.len);
		assert_string_equal(found, expected);
	}
}

/* an older one of the same family could run, too; in both orders */
TEST(of_several_cubins_the_newest_has_the_size)
{
	recipe longer = plain;
	longer.code = "0123456789abcdef0123456789abcdef";
	ba_buf cubins[2] = {BA_BUF_INIT, BA_BUF_INIT};
	make_cubin(&cubins[0], &plain);
	make_cubin(&cubins[1], &longer);
	for (unsigned newest = 0; newest < 2; newest++) {
		BA_AUTO(ba_buf) ba_buf entries = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf fatbin = BA_BUF_INIT;
		BA_AUTO(ba_code) ba_code code = {0};
		for (unsigned i = 0; i < 2; i++) {
			unsigned arch = i == newest ? 86 : 80;
			((Elf64_Ehdr *)(void *)cubins[i].data)->e_flags = arch << 8 | arch;
			put_entry(&entries, 2, arch, cubins[i].data, cubins[i].len, 0, 0x11);
		}
		end_fatbin(&fatbin, &entries);
		assert_int_equal(
			ba_image_code(&code, fatbin.data, fatbin.len, KERNEL, 89, NULL), 0);
		assert_int_equal(code.code_bytes, newest ? 32 : 16);
		/* the cubin that has it, whichever comes first */
		const ba_buf *run = &cubins[1];
		if (!newest)
			run = &cubins[0];
		assert_int_equal(code.cubin_bytes, run->len);
		assert_memory_equal(code.cubin, run->data, run->len);
	}
	ba_buf_dispose(&cubins[0]);
	ba_buf_dispose(&cubins[1]);
}

TEST(without_one_the_text_counts)
{
	BA_AUTO(ba_buf) ba_buf entries = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf fatbin = BA_BUF_INIT;
	BA_AUTO(ba_code) ba_code code = {0};
	char expected[65];
	put_entry(&entries, 1, 80, ptx, sizeof(ptx) - 1, 0, 0x11);
	end_fatbin(&fatbin, &entries);
	digest(expected, ptx, sizeof(ptx) - 1);
	assert_int_equal(ba_image_code(&code, fatbin.data, fatbin.len, KERNEL, 90, NULL), 0);
	assert_string_equal(code.sha256, expected);
	assert_true(code.ptx);
	assert_int_equal(code.code_bytes, 0);
	ba_error err = {0};
	assert_int_equal(
		ba_image_code(&code, fatbin.data, fatbin.len, "_Z5absentPf", 90, &err), BA_EINVAL);
	assert_has(err.text, "no kernel of that name");
}

TEST(text_with_variables_cannot_be_followed)
{
	static const char *const declarations[] = {".visible .global .align 4 .b8 t[4];",
		".const .align 4 .b8 t[4];", ".global .texref tex;"};
	for (size_t i = 0; i < 3; i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_code code = {0};
		ba_error err = {0};
		ba_buf_printf(&text, "%s\n%.*s\tmov.u64 %%rd1, t%s;\n%s", declarations[i],
			(int)(strstr(ptx, "\tret") - ptx), ptx, i == 2 ? "ex" : "",
			strstr(ptx, "\tret"));
		assert_int_equal(
			ba_image_code(&code, text.data, text.len, KERNEL, 90, &err), BA_EINVAL);
		assert_has(err.text, "module variables");
	}
}

TEST(tables_of_the_compiler_are_known)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	char found[65];
	ba_buf_printf(&text, "%s\n.global .align 4 .b8 __cudart_i2opi_f[24] = {65, 144};\n", ptx);
	digest(found, text.data, text.len);
}

/* A few bytes that say they are a gigabyte would be one. */
TEST(what_is_compressed_in_an_unknown_way_or_too_well_is_an_error)
{
	static const struct {
		size_t raw_bytes;
		const char *why;
	} rows[] = {{4096, "compressed"}, {1 << 29, "damaged"}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		BA_AUTO(ba_buf) ba_buf entries = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf fatbin = BA_BUF_INIT;
		ba_code code = {0};
		ba_error err = {0};
		put_entry(&entries, 2, 90, "\x28\xb5\x2f\xfd nonsense", 13, rows[i].raw_bytes,
			0x8011);
		end_fatbin(&fatbin, &entries);
		assert_int_equal(
			ba_image_code(&code, fatbin.data, fatbin.len, KERNEL, 90, &err), BA_EINVAL);
		assert_has(err.text, rows[i].why);
	}
}

TEST(a_damaged_fatbin_is_an_error_or_another_code)
{
	BA_AUTO(ba_buf) ba_buf cubin = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf entries = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf fatbin = BA_BUF_INIT;
	make_cubin(&cubin, &plain);
	put_entry(&entries, 2, 90, cubin.data, cubin.len, 0, 0x11);
	end_fatbin(&fatbin, &entries);
	damage(&fatbin, 80);
}
