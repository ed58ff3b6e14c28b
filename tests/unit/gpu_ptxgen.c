#include "test.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/base.h"
#include "gpu/ptxgen.h"

#define PTR             \
	{               \
		true, 8 \
	}
#define MOST 600

static size_t pointers(ba_ptx_param *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (ba_ptx_param)PTR;
	return n;
}

/* 0, or ptxas' exit status; 127 where there is no ptxas */
static int assemble(const char *text)
{
	char path[] = "/tmp/ba-ptxgen-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(ba_fs_write_all(fd, text, strlen(text)), 0);
	close(fd);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		execlp("ptxas", "ptxas", "-O0", "-arch=sm_90", "-o", "/dev/null", path, NULL);
		_exit(127);
	}
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	unlink(path);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_assembles_with(const ba_ptx_param *params, size_t count, uint64_t mirror)
{
	BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
	ba_error err = {0};
	assert_int_equal(ba_ptx_generate(&b, params, count, 0x7f00deadbeef0000, mirror, &err), 0);
	int rc = assemble(b.data);
	if (rc == 127) {
		ba_buf_dispose(&b); /* skip() does not return */
		skip();
	}
	if (rc)
		print_error("%s\n", b.data);
	assert_int_equal(rc, 0);
}

static void assert_assembles(const ba_ptx_param *params, size_t count)
{
	assert_assembles_with(params, count, 0);
	assert_assembles_with(params, count, 0x7f00feedbeef0040);
}

TEST(zero_to_four_pointers_assemble)
{
	ba_ptx_param p[4] = {{0}};
	for (size_t n = 0; n <= 4; n++)
		assert_assembles(p, pointers(p, n));
}

TEST(sixty_four_and_five_hundred_pointers_assemble)
{
	static ba_ptx_param p[MOST];
	assert_assembles(p, pointers(p, 64));
	assert_assembles(p, pointers(p, 500));
	assert_assembles(p, pointers(p, 512));
	assert_assembles(p, pointers(p, 513)); /* ISA 8.1 */
}

TEST(by_value_bytes_assemble_up_to_the_limit)
{
	const uint32_t sizes[] = {
		1, 7, 8, 9, 63, 64, 65, 77, 1024, 4095, 4096, 4097, 4352, 4353, 32763, 32764};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_assembles(&(ba_ptx_param){false, sizes[i]}, 1);
}

TEST(a_mixture_assembles)
{
	const ba_ptx_param p[] = {PTR, {false, 3}, PTR, {false, 130}, {false, 65}, PTR};
	assert_assembles(p, 6);
}

TEST(the_isa_is_the_oldest_that_will_do)
{
	const struct {
		uint32_t bytes;
		const char *version;
	} rows[] = {{4096, ".version 7.0\n"}, {4097, ".version 8.1\n"}};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
		assert_int_equal(ba_ptx_generate(&b, &(ba_ptx_param){false, rows[i].bytes}, 1,
					 0x1000, 0, NULL),
			0);
		assert_has(b.data, rows[i].version);
	}
}

/* Offsets are those of the record's witness. */
TEST(a_timed_launch_leaves_its_mark)
{
	const struct {
		ba_ptx_param param;
		size_t count;
		const char *mark;
	} rows[] = {{PTR, 0, "atom.global.add.u64 %n, [%rec+48], %v;"},
		{PTR, 1, "ld.param.u64 %v, [p0+0];\n\tadd.u64 %sum, %sum, %v;"},
		{PTR, 1, "atom.global.add.u64 %n, [%rec+56], %v;"},
		{PTR, 1, "ld.volatile.global.u64 %moment, [%rec+72];"},
		{PTR, 1, "mul.lo.u64 %fold, %fold, 0x9e3779b97f4a7c15;"},
		{PTR, 1, "atom.global.add.u64 %n, [%rec+64], %v;"},
		{{false, 16}, 1, "ld.param.u64 %v, [p0+8];\n\tadd.u64 %sum"},
		{{false, 15}, 1, "ld.param.u32 %n, [p0+8];"},
		{{false, 15}, 1, "ld.param.u16 %n, [p0+12];\n\tshl.b64 %n, %n, 32;"},
		{{false, 15}, 1, "ld.param.u8 %n, [p0+14];\n\tshl.b64 %n, %n, 48;"},
		{{false, 8200}, 1, "ld.param.u64 %v, [p0+8192];"}};
	assert_int_equal(offsetof(ba_ptx_record, moment), 72);
	assert_int_equal(offsetof(ba_ptx_record, witness), 48);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
		assert_int_equal(
			ba_ptx_generate(&b, &rows[i].param, rows[i].count, 0x1000, 0, NULL), 0);
		*strstr(b.data, BA_PTX_ENTRY_CHECK) = '\0';
		assert_has(b.data, rows[i].mark);
	}
}

TEST(without_a_record_the_kernel_is_empty)
{
	BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
	assert_int_equal(ba_ptx_generate(&b, NULL, 0, 0, 0, NULL), 0);
	assert_has(b.data, ".visible .entry ba_null()\n{\n\tret;\n}\n");
}

TEST(parameters_start_at_multiples_of_eight)
{
	const ba_ptx_param p[] = {{false, 3}, PTR, {false, 13}};
	assert_int_equal(ba_ptx_offset(p, 3, 0), 0);
	assert_int_equal(ba_ptx_offset(p, 3, 1), 8);
	assert_int_equal(ba_ptx_offset(p, 3, 2), 16);
	assert_int_equal(ba_ptx_offset(p, 3, 3), 29);
	assert_int_equal(ba_ptx_record_bytes(p, 3), sizeof(ba_ptx_record) + 32);
}

TEST(impossible_layouts_are_refused)
{
	const struct {
		ba_ptx_param params[2];
		size_t count;
		const char *sentence;
	} rows[] = {
		{{{false, 0}}, 1, "no bytes"},
		{{{true, 4}}, 1, "must be 8"},
		{{{false, 32765}}, 1, "at most 32764"},
		{{{false, 32760}, PTR}, 2, "32768 bytes together"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
		ba_error err = {0};
		assert_int_equal(
			ba_ptx_generate(&b, rows[i].params, rows[i].count, 0, 0, &err), BA_EINVAL);
		assert_has(err.text, rows[i].sentence);
		assert_int_equal(b.len, 0);
	}
	static ba_ptx_param many[BA_PTX_PARAMS_MAX + 1];
	BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
	assert_int_equal(
		ba_ptx_generate(&b, many, pointers(many, BA_PTX_PARAMS_MAX + 1), 0, 0, NULL),
		BA_EINVAL);
}

/* A record as the kernel would leave it, to be spoilt one field at a time. */
typedef struct right {
	ba_ptx_param params[2];
	uint64_t pointer;
	unsigned char bytes[13];
	void *args[2];
	ba_ptx_launch launch;
	struct {
		ba_ptx_record head;
		unsigned char data[24];
	} record;
} right;

static right *right_record(right *r)
{
	*r = (right){.params = {PTR, {false, 13}},
		.pointer = 0x1122334455667788,
		.bytes = "thirteenbytes",
		.launch = {{2, 3, 4}, {32, 2, 1}, 48, 3}};
	r->args[0] = &r->pointer;
	r->args[1] = r->bytes;
	r->record.head = (ba_ptx_record){3, 3 * 24 * 64, {2, 3, 4}, {32, 2, 1}, 48, 8 + 13};
	memcpy(r->record.data, &r->pointer, 8);
	memcpy(r->record.data + 8, r->bytes, 13);
	return r;
}

static int expect(const right *r, ba_error *err)
{
	return ba_ptx_expect(&r->record, r->params, 2, r->args, &r->launch, err);
}

TEST(a_right_record_is_accepted)
{
	right r;
	ba_error err = {0};
	assert_int_equal(expect(right_record(&r), &err), 0);
}

TEST(every_wrong_field_has_its_sentence)
{
	right r;
	ba_error err;
#define SPOIL(change, sentence)                          \
	right_record(&r);                                \
	change;                                          \
	assert_int_equal(expect(&r, &err), BA_EVARIANT); \
	assert_has(err.text, sentence)
	SPOIL(r.record.head.launches = 2, "2 launches arrived instead of 3");
	SPOIL(r.record.head.threads--, "threads ran instead of 4608");
	SPOIL(r.record.head.grid[2] = 5, "grid (2, 3, 5) instead of (2, 3, 4)");
	SPOIL(r.record.head.block[0] = 33, "block (33, 2, 1)");
	SPOIL(r.record.head.shared_bytes = 0, "0 bytes of dynamic shared memory");
	SPOIL(r.record.head.param_bytes = 16, "another kernel ran");
	SPOIL(r.record.data[3] ^= 1, "argument 0 reached the kernel wrong: byte 3 of 8");
	SPOIL(r.record.data[8 + 12] ^= 1, "argument 1 reached the kernel wrong: byte 12");
#undef SPOIL
}
