/* What nvdisasm prints of a kernel: blocks, classes, and where two kernels part. The
 * recorded texts are those of nvdisasm 13.5 for tests/data/nvdisasm/scale.cu, sm_90. */
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"
#include "disasm/listing.h"

#define RECORDED BA_SOURCE_DIR "/tests/data/nvdisasm/"

static void read_file(ba_listing *out, const char *path, const char *kernel)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, path, 1 << 20, NULL), 0);
	assert_true(ba_listing_read(out, text.data, text.len, kernel));
}

/* a kernel `k` with these lines in its section */
static void read_lines(ba_listing *out, const char *lines)
{
	BA_AUTO_FREE char *text = ba_xprintf("\t.section\t.text.k,\"ax\"\nk:\n.text.k:\n%s", lines);
	assert_true(ba_listing_read(out, text, strlen(text), "k"));
}

#define I(text) "        /*0000*/                   " text " ;\n"

TEST(a_recorded_kernel_has_its_blocks_and_lines)
{
	BA_AUTO(ba_listing) ba_listing l = {0};
	read_file(&l, RECORDED "base.txt", "ba_test_ns_20000");
	/* without the branch to itself and the NOPs behind the kernel */
	assert_int_equal(l.count, 27);
	assert_int_equal(l.block_count, 4);
	assert_string_equal(l.blocks[0].label, "ba_test_ns_20000");
	assert_int_equal(l.blocks[0].count, 18);
	assert_string_equal(l.blocks[1].label, ".L_x_1");
	assert_int_equal(l.blocks[1].count, 1);
	assert_null(l.blocks[2].label);
	assert_string_equal(l.instructions[11].text, "@!P0 LDG.E R0, desc[UR6][R2.64]");
	assert_string_equal(l.instructions[11].plain, "@!P LDG.E R, desc[UR][R.64]");
	assert_string_equal(l.instructions[11].file, "/tmp/project/scale.cu");
	assert_int_equal(l.instructions[11].line, 5);
}

TEST(classes_are_counted)
{
	uint64_t b[BA_CLASS_COUNT], c[BA_CLASS_COUNT], sum = 0;
	BA_AUTO(ba_listing) ba_listing base = {0};
	BA_AUTO(ba_listing) ba_listing candidate = {0};
	read_file(&base, RECORDED "base.txt", "ba_test_ns_20000");
	read_file(&candidate, RECORDED "candidate.txt", "ba_test_ns_22000");
	ba_listing_classes(b, &base);
	ba_listing_classes(c, &candidate);
	assert_int_equal(b[BA_CLASS_GLOBAL_LOAD], 1);
	assert_int_equal(b[BA_CLASS_GLOBAL_STORE], 1);
	assert_int_equal(b[BA_CLASS_SHARED_LOAD], 1);
	assert_int_equal(b[BA_CLASS_SHARED_STORE], 1);
	assert_int_equal(b[BA_CLASS_CONSTANT_LOAD], 7);
	assert_int_equal(b[BA_CLASS_FP32], 1);
	/* "HFMA2.MMA R0, -RZ, RZ, 0, 0" moves a zero */
	assert_int_equal(b[BA_CLASS_FP16], 0);
	assert_int_equal(b[BA_CLASS_BARRIER], 1);
	assert_int_equal(b[BA_CLASS_CONTROL], 2);
	assert_int_equal(b[BA_CLASS_SPECIAL], 0);
	assert_int_equal(c[BA_CLASS_SPECIAL], 2);
	assert_int_equal(b[BA_CLASS_OTHER] + c[BA_CLASS_OTHER], 0);
	for (int i = 0; i < BA_CLASS_COUNT; i++)
		sum += b[i];
	assert_int_equal(sum, base.count);
}

TEST(the_first_block_that_differs_is_named)
{
	BA_AUTO(ba_listing) ba_listing base = {0};
	BA_AUTO(ba_listing) ba_listing candidate = {0};
	read_file(&base, RECORDED "base.txt", "ba_test_ns_20000");
	read_file(&candidate, RECORDED "candidate.txt", "ba_test_ns_22000");
	ba_block_changes *d = ba_listing_compare(&base, &candidate);
	assert_int_equal(d->baseline, 4);
	assert_int_equal(d->candidate, 14);
	assert_int_equal(d->same, 3);
	assert_int_equal(d->number, 3);
	assert_null(d->label);
	assert_string_equal(d->file, "/tmp/project/scale.cu");
	assert_int_equal(d->line, 9);
	assert_string_equal(d->baseline_code.items[0], "LOP3.LUT R7, R7, 0x4, RZ, 0x3c, !PT");
	assert_string_equal(d->candidate_code.items[0], "ULDC UR5, c[0x0][0x220]");
	assert_int_equal(d->candidate_code.count, BA_CODE_SHOWN);
	ba_block_changes_free(d);
}

TEST(other_registers_and_labels_are_the_same_block)
{
	BA_AUTO(ba_listing) ba_listing a = {0};
	BA_AUTO(ba_listing) ba_listing b = {0};
	read_lines(&a, ".L_x_1:\n" I("@P0 IADD3 R1, R2, R3, RZ") I("@!UP1 BRA `(.L_x_1)"));
	read_lines(&b, ".L_x_9:\n" I("@P3 IADD3 R7, R2.reuse, R4, RZ") I("@!UP0 BRA `(.L_x_9)"));
	ba_block_changes *d = ba_listing_compare(&a, &b);
	assert_int_equal(d->same, 1);
	assert_int_equal(d->number, 0);
	ba_block_changes_free(d);
}

/* the pair of functions: another constant, a block more, a block less, two that changed
 * places */
TEST(whatever_differs_has_a_place)
{
#define A I("IADD3 R1, R2, 0x1, RZ") I("BRA `(.L_x_1)")
#define B I("FADD R1, R2, R3") I("BRA `(.L_x_1)")
#define B2 I("FADD R1, R2, 2") I("BRA `(.L_x_1)")
	static const struct {
		const char *base, *candidate;
		unsigned same, number;
		size_t gone, added;
	} rows[] = {
		{A B, A B, 2, 0, 0, 0},
		{A B, A B2, 1, 2, 2, 2},
		{A, A B, 1, 2, 0, 2},
		{A B, B, 1, 1, 2, 0},
		{A B, B A, 1, 1, 2, 0},
		{A, B, 0, 1, 2, 2},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_listing) ba_listing a = {0};
		BA_AUTO(ba_listing) ba_listing b = {0};
		read_lines(&a, rows[i].base);
		read_lines(&b, rows[i].candidate);
		ba_block_changes *d = ba_listing_compare(&a, &b);
		assert_int_equal(d->same, rows[i].same);
		assert_int_equal(d->number, rows[i].number);
		assert_int_equal(d->baseline_code.count, rows[i].gone);
		assert_int_equal(d->candidate_code.count, rows[i].added);
		assert_null(d->file);
		ba_block_changes_free(d);
	}
}

/* code is shown from the first instruction on that differs */
TEST(what_a_block_shares_is_not_shown)
{
	BA_AUTO(ba_listing) ba_listing a = {0};
	BA_AUTO(ba_listing) ba_listing b = {0};
	read_lines(&a, I("MOV R1, R2") I("FADD R1, R2, R3") I("EXIT"));
	read_lines(&b, I("MOV R4, R2") I("FMUL R1, R2, R3") I("EXIT"));
	ba_block_changes *d = ba_listing_compare(&a, &b);
	assert_string_equal(d->baseline_code.items[0], "FADD R1, R2, R3");
	assert_string_equal(d->candidate_code.items[0], "FMUL R1, R2, R3");
	ba_block_changes_free(d);
}

TEST(opcodes_have_their_classes)
{
	static const struct {
		const char *text;
		ba_instruction_class class;
	} rows[] = {
		{"LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", BA_CLASS_GLOBAL_LOAD},
		{"@P1 STG.E R1, R2", BA_CLASS_GLOBAL_STORE},
		{"LD.E R1, [R2]", BA_CLASS_GENERIC_LOAD},
		{"LDL R1, [R2]", BA_CLASS_LOCAL_LOAD},
		{"STL [R1], R2", BA_CLASS_LOCAL_STORE},
		{"LDSM.16.M88.4 R4, [R2]", BA_CLASS_SHARED_LOAD},
		{"LDGSTS.E.BYPASS.128 [R1], [R2.64]", BA_CLASS_COPY},
		{"UTMALDG.4D [UR8], [UR4]", BA_CLASS_COPY},
		{"REDG.E.ADD.STRONG.GPU desc[UR6][R6.64], R11", BA_CLASS_ATOMIC},
		{"FFMA.FTZ R1, R2, R3, R4", BA_CLASS_FP32},
		{"DFMA R4, R4, 2, R6", BA_CLASS_FP64},
		{"HFMA2.BF16_V2 R1, R2, R3, R4", BA_CLASS_FP16},
		{"HFMA2.MMA R0, -RZ, RZ, 0, 0", BA_CLASS_MOVE},
		{"IMAD.MOV.U32 R1, RZ, RZ, R2", BA_CLASS_MOVE},
		{"IMAD.WIDE R2, R5, 0x4, R2", BA_CLASS_INTEGER},
		{"HGMMA.64x64x16.F32 R24, gdesc[UR4], R24", BA_CLASS_TENSOR},
		{"MUFU.EX2 R1, R2", BA_CLASS_SPECIAL},
		{"F2FP.BF16.F32.PACK_AB R1, R2, R3", BA_CLASS_CONVERSION},
		{"SHFL.BFLY PT, R1, R2, 0x1, 0x1f", BA_CLASS_WARP},
		{"SYNCS.ARRIVE.TRANS64 RZ, [UR4], RZ", BA_CLASS_BARRIER},
		{"BSSY B0, `(.L_x_0)", BA_CLASS_CONTROL},
		{"NOP", BA_CLASS_OTHER},
		{"QUUX.NEW R1", BA_CLASS_OTHER},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t classes[BA_CLASS_COUNT];
		BA_AUTO(ba_listing) ba_listing l = {0};
		BA_AUTO_FREE char *lines = ba_xprintf(
			"        /*0000*/                   %s ;\n" I("EXIT"), rows[i].text);
		read_lines(&l, lines);
		ba_listing_classes(classes, &l);
		classes[BA_CLASS_CONTROL]--;
		if (classes[rows[i].class] != 1)
			fail_msg("%s", rows[i].text);
	}
}

/* another kernel's section, no section, one that is cut, one of filling alone */
TEST(what_has_no_code_of_the_kernel_is_rejected)
{
	static const char *const texts[] = {"", "\n\n", "\t.section\t.text.kk,\"ax\"\n" A,
		"\t.section\t.text.k", "\t.section\t.text.k,\"ax\"\nk:\n" I("NOP"),
		"\t.section\t.text.k,\n.L_x_0:\n" I("BRA `(.L_x_0)") I("NOP"),
		"\t.section\t.text.j,\n\t.section\t.data,\n" A};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		BA_AUTO(ba_listing) ba_listing l = {0};
		assert_false(ba_listing_read(&l, texts[i], strlen(texts[i]), "k"));
	}
}
