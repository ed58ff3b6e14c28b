/* Kernels found in files and compared: cubins of the compiler (tests/data/cubin), and
 * the same with one thing changed. */
#include "test.h"

#include <elf.h>

#include "base/base.h"
#include "cubin/graph.h"
#include "cubin/image.h"
#include "cubin/kernels.h"

static void load(ba_buf *out, const char *name)
{
	BA_AUTO_FREE char *path = ba_xprintf(BA_SOURCE_DIR "/tests/data/cubin/%s", name);
	ba_error err = {0};
	if (ba_fs_read(out, path, 1 << 20, &err))
		fail_msg("%s", err.text);
}

static void read_kernels(ba_kernel_codes *out, const ba_buf *file)
{
	ba_error err = {0};
	if (ba_kernels_find(out, NULL, file->data, file->len, &err))
		fail_msg("%s", err.text);
}

static const ba_kernel_code *kernel(const ba_kernel_codes *codes, const char *name)
{
	for (size_t i = 0; i < codes->count; i++)
		if (strcmp(codes->items[i].name, name) == 0)
			return &codes->items[i];
	fail_msg("no kernel %s", name);
	return NULL;
}

/* what is said about a kernel of two files; why may be NULL */
static ba_kernel_verdict compare(
	const ba_buf *base, const ba_buf *mine, const char *name, const char *reason)
{
	BA_AUTO(ba_kernel_codes) ba_kernel_codes a = {0};
	BA_AUTO(ba_kernel_codes) ba_kernel_codes b = {0};
	const char *why = NULL;
	read_kernels(&a, base);
	read_kernels(&b, mine);
	ba_kernel_verdict v = ba_kernel_compare(kernel(&a, name), kernel(&b, name), &why);
	if (reason)
		assert_has(why, reason);
	return v;
}

static ba_kernel_verdict compare_files(const char *base, const char *mine, const char *name)
{
	BA_AUTO(ba_buf) ba_buf a = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
	load(&a, base);
	load(&b, mine);
	return compare(&a, &b, name, NULL);
}

/* ---- places in a cubin ---- */

static Elf64_Shdr *section_of(const ba_buf *cubin, const char *name)
{
	const Elf64_Ehdr *h = (const void *)cubin->data;
	Elf64_Shdr *sections = (void *)(cubin->data + h->e_shoff);
	for (size_t i = 0; i < h->e_shnum; i++) {
		const char *own =
			cubin->data + sections[h->e_shstrndx].sh_offset + sections[i].sh_name;
		if (strcmp(own, name) == 0)
			return &sections[i];
	}
	fail_msg("no section %s", name);
	return NULL;
}

static unsigned char *content_of(const ba_buf *cubin, const char *name)
{
	return (unsigned char *)cubin->data + section_of(cubin, name)->sh_offset;
}

static Elf64_Sym *symbol_of(const ba_buf *cubin, const char *name, uint32_t *number)
{
	const Elf64_Shdr *table = section_of(cubin, ".symtab");
	const char *strings = (const char *)content_of(cubin, ".strtab");
	Elf64_Sym *symbols = (void *)(cubin->data + table->sh_offset);
	for (uint32_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (strcmp(strings + symbols[i].st_name, name) == 0) {
			*number = i;
			return &symbols[i];
		}
	fail_msg("no symbol %s", name);
	return NULL;
}

/* the value of the record of that attribute in .nv.info.K */
static unsigned char *record_of(const ba_buf *cubin, const char *section, unsigned attribute)
{
	unsigned char *p = content_of(cubin, section);
	const unsigned char *end = p + section_of(cubin, section)->sh_size;
	while (p < end && p[1] != attribute)
		p += 4 + (p[0] == 4 ? p[2] : 0);
	assert_true(p < end);
	return p + (p[0] == 4 ? 4 : 2);
}

/* ---- what counts ---- */

TEST(a_changed_callee_changes_its_callers_only)
{
	static const char base[] = "linked_13.cubin", mine[] = "linked_17.cubin";
	assert_int_equal(compare_files(base, base, "_Z6callerPi"), BA_KERNEL_SAME);
	assert_int_equal(compare_files(base, mine, "_Z6callerPi"), BA_KERNEL_CHANGED);
	assert_int_equal(compare_files(base, mine, "_Z9neighbourPi"), BA_KERNEL_SAME);
}

TEST(what_another_object_defines_leaves_a_kernel_open)
{
	BA_AUTO(ba_buf) ba_buf object = BA_BUF_INIT;
	load(&object, "callee.cubin");
	assert_int_equal(
		compare(&object, &object, "_Z6callerPi", "'_Z5otheri', which another object"),
		BA_KERNEL_OPEN);
	assert_int_equal(compare(&object, &object, "_Z9neighbourPi", NULL), BA_KERNEL_SAME);
}

/* a variable, a text and a kernel more in the module: their slots move */
TEST(a_slot_counts_as_what_it_leads_to)
{
	static const char *const names[] = {"_Z9k_counterPi", "_Z7k_printPi", "_Z7k_scalePf"};
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
			compare_files("slots_a.cubin", "slots_b.cubin", names[i]), BA_KERNEL_SAME);
}

typedef void change_fn(ba_buf *cubin);

static void change_registers(ba_buf *cubin)
{
	uint32_t number;
	symbol_of(cubin, "_Z9k_counterPi", &number);
	unsigned char *p = content_of(cubin, ".nv.info");
	while (p[1] != 0x2f || p[4] != number)
		p += 4 + p[2];
	p[8]++;
}

static void make_managed(ba_buf *cubin)
{
	uint32_t number;
	symbol_of(cubin, "counter", &number)->st_other |= 4;
}

static void change_variable_size(ba_buf *cubin)
{
	uint32_t number;
	symbol_of(cubin, "counter", &number)->st_size--;
}

static void rename_variable(ba_buf *cubin)
{
	uint32_t number;
	char *strings = (char *)content_of(cubin, ".strtab");
	strings[symbol_of(cubin, "counter", &number)->st_name] = 'C';
}

static void change_instruction(ba_buf *cubin)
{
	content_of(cubin, ".text._Z9k_counterPi")[0x4f] ^= 1;
}

static void change_slot(ba_buf *cubin)
{
	Elf64_Rela *r = (void *)content_of(cubin, ".rela.nv.constant4");
	for (size_t i = 0; i < 3; i++)
		r[i].r_info = r[(i + 1) % 3].r_info;
}

static void change_limit(ba_buf *cubin)
{
	record_of(cubin, ".nv.info._Z9k_counterPi", 0x1b)[0] = 32;
}

static void add_attribute(ba_buf *cubin)
{
	record_of(cubin, ".nv.info._Z9k_counterPi", 0x1b)[-1] = 0x7e;
}

static void add_section(ba_buf *cubin)
{
	memcpy(cubin->data + section_of(cubin, ".shstrtab")->sh_offset +
			section_of(cubin, ".nv.callgraph")->sh_name,
		".nv.call_new_", 13);
}

static void change_version(ba_buf *cubin)
{
	record_of(cubin, ".nv.info._Z9k_counterPi", 0x37)[0]++;
}

static void change_symbol_number(ba_buf *cubin)
{
	record_of(cubin, ".nv.info._Z9k_counterPi", 0x0a)[0]++;
}

static void change_debugging(ba_buf *cubin)
{
	((Elf64_Ehdr *)(void *)cubin->data)->e_flags ^= 0x0c000000;
}

static void change_others(ba_buf *cubin)
{
	content_of(cubin, ".text._Z7k_printPi")[0x4f] ^= 1;
	content_of(cubin, ".nv.constant3")[0] ^= 1;
	content_of(cubin, ".debug_frame")[8] ^= 1;
}

TEST(each_thing_counts_as_what_it_is)
{
	static const struct {
		change_fn *change;
		ba_kernel_verdict verdict;
		const char *why;
	} rows[] = {{change_registers, BA_KERNEL_OTHER_LIMITS, NULL},
		{change_limit, BA_KERNEL_OTHER_LIMITS, NULL},
		{make_managed, BA_KERNEL_OTHER_DATA, NULL},
		{change_variable_size, BA_KERNEL_OTHER_DATA, NULL},
		{rename_variable, BA_KERNEL_OPEN, "other variables of equal content"},
		{change_instruction, BA_KERNEL_CHANGED, NULL},
		{change_slot, BA_KERNEL_OTHER_DATA, NULL},
		{add_attribute, BA_KERNEL_OPEN, "attribute 0x7e is unknown"},
		{add_section, BA_KERNEL_OPEN, "section '.nv.call_new_"},
		{change_version, BA_KERNEL_SAME, NULL},
		{change_symbol_number, BA_KERNEL_SAME, NULL},
		{change_debugging, BA_KERNEL_SAME, NULL}, {change_others, BA_KERNEL_SAME, NULL}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		BA_AUTO(ba_buf) ba_buf base = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf mine = BA_BUF_INIT;
		load(&base, "slots_a.cubin");
		load(&mine, "slots_a.cubin");
		rows[i].change(&mine);
		ba_kernel_verdict v = compare(&base, &mine, "_Z9k_counterPi", rows[i].why);
		if (v != rows[i].verdict)
			fail_msg("row %zu: %d instead of %d", i, v, rows[i].verdict);
	}
}

/* The host can ask for a variable by its name, whatever kernels do with it. */
TEST(variables_have_a_digest_of_their_own)
{
	static const struct {
		change_fn *change;
		bool differ;
	} rows[] = {{make_managed, true}, {change_variable_size, true}, {rename_variable, true},
		{change_others, true}, {change_instruction, false}, {change_registers, false}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		char digests[2][65];
		for (int changed = 0; changed < 2; changed++) {
			BA_AUTO(ba_buf) ba_buf cubin = BA_BUF_INIT;
			BA_AUTO(ba_graph) ba_graph g = {0};
			ba_sha256 sum;
			load(&cubin, "slots_a.cubin");
			if (changed)
				rows[i].change(&cubin);
			assert_int_equal(ba_cubin_read(&g, cubin.data, cubin.len, 0, NULL), 0);
			ba_sha256_init(&sum);
			ba_graph_add_variables(&sum, &g);
			ba_sha256_hex(&sum, digests[changed]);
		}
		assert_int_equal(strcmp(digests[0], digests[1]) != 0, rows[i].differ);
	}
}

TEST(a_record_that_does_not_end_is_an_error)
{
	BA_AUTO(ba_buf) ba_buf cubin = BA_BUF_INIT;
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	ba_error err = {0};
	load(&cubin, "slots_a.cubin");
	section_of(&cubin, ".nv.info._Z9k_counterPi")->sh_size -= 4;
	assert_int_equal(ba_kernels_find(&codes, NULL, cubin.data, cubin.len, &err), BA_EINVAL);
	assert_has(err.text, "damaged");
}

/* 10.0 has two forms of its code, and runs the first */
TEST(the_second_form_counts_on_other_gpus_only)
{
	BA_AUTO(ba_buf) ba_buf base = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf mine = BA_BUF_INIT;
	load(&base, "two_100.cubin");
	load(&mine, "two_100.cubin");
	content_of(&mine, ".nv.capmerc.text._Z5otherPf")[16] ^= 1;
	content_of(&mine, ".nv.merc.symtab")[30] ^= 1;
	assert_int_equal(compare(&base, &mine, "_Z1kPf", NULL), BA_KERNEL_SAME);
	for (int gpu = 100; gpu <= 103; gpu += 3) {
		BA_AUTO(ba_code) ba_code a = {0};
		BA_AUTO(ba_code) ba_code b = {0};
		assert_int_equal(ba_image_code(&a, base.data, base.len, "_Z1kPf", gpu, NULL), 0);
		assert_int_equal(ba_image_code(&b, mine.data, mine.len, "_Z1kPf", gpu, NULL), 0);
		assert_int_equal(strcmp(a.sha256, b.sha256) == 0, gpu == 100);
	}
}

TEST(a_kernel_has_its_own_metrics)
{
	BA_AUTO(ba_buf) ba_buf cubin = BA_BUF_INIT;
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	BA_AUTO(ba_code) ba_code code = {0};
	load(&cubin, "slots_b.cubin");
	read_kernels(&codes, &cubin);
	const ba_kernel_metrics *m = &kernel(&codes, "_Z7k_scalePf")->metrics;
	assert_int_equal(m->registers, 12);
	assert_int_equal(m->shared_bytes, 128);
	assert_int_equal(m->barriers, 1);
	assert_int_equal(m->max_threads, 128);
	m = &kernel(&codes, "_Z7k_printPi")->metrics;
	assert_int_equal(m->frame_bytes, 8);
	assert_int_equal(m->local_stores, 1);
	assert_int_equal(m->local_store_bytes, 4);
	assert_int_equal(m->instructions, 19);
	assert_string_equal(kernel(&codes, "_Z7k_printPi")->target, "sm_90");
	assert_int_equal(
		ba_image_code(&code, cubin.data, cubin.len, "_Z9k_counterPi", 90, NULL), 0);
	assert_int_equal(code.variables.count, 3);
	assert_true(ba_strv_has(&code.variables, "counter"));
	assert_true(ba_strv_has(&code.variables, "scale"));
}

/* ---- names ---- */

TEST(names_lose_what_depends_on_the_file)
{
	static const char *const rows[][2] = {{"_Z3fooPf", "_Z3fooPf"},
		{"_ZN33_GLOBAL__N__3f30ae3a_4_A_cu_table3fooEPf", "_ZN12_GLOBAL__N_13fooEPf"},
		{"__nv_static_22__2fd52c46_5_st_cu_main__Z2skPf", "_Z2skPf"},
		{"_ZN31_INTERNAL_3f30ae3a_4_A_cu_table1xE", "_ZN9_INTERNAL1xE"},
		{"_ZN3cub17CUB_300001_SM_9006detail1kEv", "_ZN3cub2_V6detail1kEv"},
		{"_ZN3cub20_V_300500_SM_800_9006detail1kEv", "_ZN3cub2_V6detail1kEv"},
		{"_ZN3cub16_V_300500_SM_9006detail1kEv", "_ZN3cub2_V6detail1kEv"},
		{"__nv_static_99__short", "__nv_static_99__short"}, {"_Z9_V_1", "_Z9_V_1"},
		{"", ""}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		BA_AUTO_FREE char *found = ba_kernel_canonical(rows[i][0]);
		assert_string_equal(found, rows[i][1]);
	}
}

/* ---- PTX ---- */

static const char ptx[] =
	".version 9.0\n.target sm_90\n.address_size 64\n"
	".global .align 4 .u32 count = 3;\n"
	".func (.param .b32 r) twice(.param .b32 a)\n{\n\tret;\n}\n"
	".visible .entry one(\n\t.param .u64 one_param_0\n)\n.maxntid 128, 1, 1\n{\n"
	"\t.reg .b32 %r<4>;\n\tld.param.u32 %r1, [one_param_0];\n"
	"$L__BB0_1:\n\tadd.s32 %r2, %r1, 1;\n\tbra $L__BB0_1;\n"
	"\tcall.uni (r), twice, (a);\n\tst.global.u32 [count], %r2;\n\tret;\n}\n"
	".visible .entry two(.param .u64 two_param_0)\n{\n\tret;\n}\n";

static ba_kernel_verdict ptx_verdict(const char *from, const char *to, const char *name)
{
	BA_AUTO(ba_buf) ba_buf base = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf mine = BA_BUF_INIT;
	ba_buf_puts(&base, ptx);
	for (const char *p = ptx; *p;) {
		if (ba_text_starts(p, from)) {
			ba_buf_puts(&mine, to);
			p += strlen(from);
		} else {
			ba_buf_putc(&mine, *p++);
		}
	}
	assert_string_not_equal(base.data, mine.data);
	return compare(&base, &mine, name, NULL);
}

TEST(ptx_is_compared_by_entry)
{
	static const struct {
		const char *from, *to, *name;
		ba_kernel_verdict verdict;
	} rows[] = {{"%r2", "%r3", "one", BA_KERNEL_SAME}, {"BB0", "BB7", "one", BA_KERNEL_SAME},
		{".version 9.0", ".version 8.0", "one", BA_KERNEL_SAME},
		{"\tadd", "\t.loc 1 2 3\n\t// more\n$L__tmp0:\n\t/* or */ add", "one",
			BA_KERNEL_SAME},
		{"two_param_0)\n{", "two_param_0)\n{\n\tbar.sync 0;", "one", BA_KERNEL_SAME},
		{"two_param_0)\n{", "two_param_0)\n{\n\tbar.sync 0;", "two", BA_KERNEL_CHANGED},
		{"%r1, 1", "%r1, 2", "one", BA_KERNEL_CHANGED},
		{"%r1, 1", "%r2, 1", "one", BA_KERNEL_CHANGED},
		{".b32 a)\n{", ".b32 a)\n{\n\tbar.sync 0;", "one", BA_KERNEL_CHANGED},
		{".b32 a)\n{", ".b32 a)\n{\n\tbar.sync 0;", "two", BA_KERNEL_SAME},
		{"count = 3", "count = 4", "one", BA_KERNEL_OTHER_DATA},
		{"count", "number", "one", BA_KERNEL_OPEN},
		{"128, 1", "256, 1", "one", BA_KERNEL_OTHER_LIMITS},
		{".func (.param .b32 r) twice(.param .b32 a)\n{\n\tret;\n}",
			".extern .func (.param .b32 r) twice(.param .b32 a);", "one",
			BA_KERNEL_OPEN}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		ba_kernel_verdict v = ptx_verdict(rows[i].from, rows[i].to, rows[i].name);
		if (v != rows[i].verdict)
			fail_msg("row %zu: %d instead of %d", i, v, rows[i].verdict);
	}
}

TEST(ptx_that_is_cut_is_an_error)
{
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	ba_error err = {0};
	assert_int_equal(ba_kernels_find(&codes, NULL, ptx, strlen(ptx) - 3, &err), BA_EINVAL);
	assert_has(err.text, "its PTX ends within a declaration");
}

/* ---- files ---- */

static int note(void *context, const ba_image *image, ba_error *err)
{
	(void)err;
	ba_buf_printf(context, "%d at %zu, ", image->kind, image->at);
	return 0;
}

/* an archive's member is not aligned; linked cubins come first, and the object's kernels
 * count once */
TEST(images_are_found_wherever_they_are)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf object = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf linked = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf said = BA_BUF_INIT;
	BA_AUTO(ba_kernel_codes) ba_kernel_codes codes = {0};
	load(&object, "callee.cubin");
	load(&linked, "linked_13.cubin");
	ba_buf_puts(&file, "!<arch>\nheader of a member");
	ba_buf_put(&file, object.data, object.len);
	ba_buf_puts(&file, "odd");
	ba_buf_put(&file, linked.data, linked.len);
	ba_buf_puts(&file, "rest");
	assert_int_equal(ba_images_find(file.data, file.len, 0, note, &said, NULL), 0);
	BA_AUTO_FREE char *expected = ba_xprintf("0 at %zu, 1 at 26, ", 26 + object.len + 3);
	assert_string_equal(said.data, expected);
	read_kernels(&codes, &file);
	assert_int_equal(codes.count, 2);
	assert_true(codes.items[0].is_linked && codes.items[1].is_linked);
}

TEST(a_file_of_another_kind_has_none)
{
	BA_AUTO(ba_buf) ba_buf said = BA_BUF_INIT;
	assert_int_equal(ba_images_find("text", 4, 0, note, &said, NULL), 0);
	assert_int_equal(ba_images_find("", 0, 0, note, &said, NULL), 0);
	assert_int_equal(ba_images_find("\x7f"
					"ELF of a host",
				 13, 0, note, &said, NULL),
		0);
	assert_string_equal(said.data, "");
}

TEST(what_is_cut_is_an_error)
{
	BA_AUTO(ba_buf) ba_buf cubin = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf said = BA_BUF_INIT;
	static const char fatbin[] =
		"\x50\xed\x55\xba\x01\x00\x10\x00\xff\x00\x00\x00\x00\x00\x00\x00";
	ba_error err = {0};
	load(&cubin, "two_100.cubin");
	assert_int_equal(ba_images_find(cubin.data, 1000, 0, note, &said, &err), BA_EINVAL);
	assert_string_equal(err.text, "truncated cubin at offset 0");
	assert_int_equal(ba_images_find(fatbin, 16, 0, note, &said, &err), BA_EINVAL);
	assert_string_equal(err.text, "truncated fatbin at offset 0");
	assert_int_equal(ba_images_find(fatbin, 6, 0, note, &said, &err), BA_EINVAL);
	assert_string_equal(said.data, "");
}
