#include "gpu/ptxgen.h"

/* Parameters up to this size are copied without a loop. */
#define UNROLLED_BYTES 64

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

size_t ba_ptx_offset(const ba_ptx_param *params, size_t count, size_t index)
{
	size_t at = 0;
	for (size_t i = 0; i < index; i++)
		at += i + 1 == count ? params[i].bytes : padded(params[i].bytes);
	return at;
}

size_t ba_ptx_record_bytes(const ba_ptx_param *params, size_t count)
{
	return sizeof(ba_ptx_record) + padded(ba_ptx_offset(params, count, count));
}

static int check_layout(const ba_ptx_param *params, size_t count, ba_error *err)
{
	if (count > BA_PTX_PARAMS_MAX)
		return ba_fail(err, BA_EINVAL, "%zu kernel parameters are too many; at most %d",
			count, BA_PTX_PARAMS_MAX);
	for (size_t i = 0; i < count; i++) {
		if (!params[i].bytes)
			return ba_fail(err, BA_EINVAL,
				"kernel parameter %zu has no bytes; give it at least 1", i);
		if (params[i].pointer && params[i].bytes != 8)
			return ba_fail(err, BA_EINVAL,
				"kernel parameter %zu is a pointer of %u bytes; it must be 8", i,
				params[i].bytes);
		if (params[i].bytes > BA_PTX_BYTES_MAX)
			return ba_fail(err, BA_EINVAL,
				"kernel parameter %zu has %u bytes; a kernel takes at most %d", i,
				params[i].bytes, BA_PTX_BYTES_MAX);
	}
	size_t total = ba_ptx_offset(params, count, count);
	if (total > BA_PTX_BYTES_MAX)
		return ba_fail(err, BA_EINVAL,
			"kernel parameters of %zu bytes together; a kernel takes at most %d", total,
			BA_PTX_BYTES_MAX);
	return 0;
}

static void put_signature(ba_buf *b, const char *entry, const ba_ptx_param *params, size_t count)
{
	ba_buf_printf(b, ".visible .entry %s(", entry);
	for (size_t i = 0; i < count; i++) {
		ba_buf_puts(b, i ? ",\n\t" : "\n\t");
		if (params[i].pointer)
			ba_buf_printf(b, ".param .u64 p%zu", i);
		else
			ba_buf_printf(b, ".param .align 8 .b8 p%zu[%u]", i, params[i].bytes);
	}
	ba_buf_puts(b, ")\n");
}

/* copies bytes [from, to) of parameter i to the record, with one pair of instructions
 * each */
static void put_copies(ba_buf *b, size_t i, size_t from, size_t to, size_t base)
{
	for (size_t at = from; at < to;) {
		bool whole = to - at >= 8;
		const char *type = whole ? "u64" : "u8";
		const char *reg = whole ? "%v" : "%c";
		ba_buf_printf(b,
			"\tld.param.%s %s, [p%zu+%zu];\n"
			"\tst.global.%s [%%rec+%zu], %s;\n",
			type, reg, i, at, type, base + at, reg);
		at += whole ? 8 : 1;
	}
}

/* the same in a loop of eight bytes per iteration, for parameters of kilobytes */
static void put_copy_loop(ba_buf *b, size_t i, size_t bytes, size_t base)
{
	ba_buf_printf(b,
		"\tmov.b64 %%from, p%zu;\n"
		"\tadd.u64 %%to, %%rec, %zu;\n"
		"\tadd.u64 %%end, %%from, %zu;\n"
		"loop%zu:\n"
		"\tld.param.u64 %%v, [%%from];\n"
		"\tst.global.u64 [%%to], %%v;\n"
		"\tadd.u64 %%from, %%from, 8;\n"
		"\tadd.u64 %%to, %%to, 8;\n"
		"\tsetp.lt.u64 %%more, %%from, %%end;\n"
		"\t@%%more bra loop%zu;\n",
		i, base, bytes / 8 * 8, i, i);
	put_copies(b, i, bytes / 8 * 8, bytes, base);
}

/* ---- the marks of a launch ---- */

#define WORD_LOOP 8 /* words a turn */
#define SUM_UNROLLED 4096

/* the operation on each word, which is in %v */
static const char add_up[] = "\tadd.u64 %sum, %sum, %v;\n";
static void put_fold(ba_buf *b)
{
	ba_buf_printf(b,
		"\tadd.u64 %%fold, %%fold, %%v;\n\tmul.lo.u64 %%fold, %%fold, 0x%016" PRIx64 ";\n",
		BA_FOLD_FACTOR);
}

static void put_use(ba_buf *b, bool fold)
{
	if (fold)
		put_fold(b);
	else
		ba_buf_puts(b, add_up);
}

/* Loads the last word of a parameter, of 1 to 7 bytes, in pieces; the rest is zero. */
static void put_last_word(ba_buf *b, size_t i, size_t at, size_t bytes)
{
	ba_buf_puts(b, "\tmov.u64 %v, 0;\n");
	for (size_t done = 0, size = 4; size; size /= 2) {
		if (!(bytes & size))
			continue;
		ba_buf_printf(b,
			"\tld.param.u%zu %%n, [p%zu+%zu];\n"
			"\tshl.b64 %%n, %%n, %zu;\n"
			"\tor.b64 %%v, %%v, %%n;\n",
			8 * size, i, at + done, 8 * done);
		done += size;
	}
}

/* Loads each word of parameter i, to be added or folded. */
static void put_words(ba_buf *b, size_t i, size_t bytes, bool fold)
{
	size_t most = fold ? UNROLLED_BYTES : SUM_UNROLLED, at = 0;
	if (bytes > most) {
		at = bytes / (8 * WORD_LOOP) * (8 * WORD_LOOP);
		ba_buf_printf(b,
			"\tmov.b64 %%from, p%zu;\n"
			"\tadd.u64 %%end, %%from, %zu;\n"
			"%s%zu:\n",
			i, at, fold ? "fold" : "sum", i);
		for (int k = 0; k < WORD_LOOP; k++) {
			ba_buf_printf(b, "\tld.param.u64 %%v, [%%from+%d];\n", 8 * k);
			put_use(b, fold);
		}
		ba_buf_printf(b,
			"\tadd.u64 %%from, %%from, %d;\n"
			"\tsetp.lt.u64 %%more, %%from, %%end;\n"
			"\t@%%more bra %s%zu;\n",
			8 * WORD_LOOP, fold ? "fold" : "sum", i);
	}
	for (; at < bytes; at += 8) {
		if (bytes - at < 8)
			put_last_word(b, i, at, bytes - at);
		else
			ba_buf_printf(b, "\tld.param.u64 %%v, [p%zu+%zu];\n", i, at);
		put_use(b, fold);
	}
}

static void put_all_words(ba_buf *b, const ba_ptx_param *params, size_t count, bool fold)
{
	for (size_t i = 0; i < count; i++)
		put_words(b, i, params[i].bytes, fold);
}

/* Adds %v to a mark; %n is the previous value. The mirror gets the new value. */
static void put_mark(ba_buf *b, size_t mark, bool mirrored)
{
	ba_buf_printf(b, "\tatom.global.add.u64 %%n, [%%rec+%zu], %%v;\n",
		offsetof(ba_ptx_record, witness) + 8 * mark);
	if (mirrored)
		ba_buf_printf(b,
			"\tadd.u64 %%v, %%v, %%n;\n"
			"\tst.global.u64 [%%mirror+%zu], %%v;\n",
			8 * mark);
}

/* the shape of a launch, in the order of the record from `grid` on */
static const char *const shape[] = {
	"nctaid.x", "nctaid.y", "nctaid.z", "ntid.x", "ntid.y", "ntid.z", "dynamic_smem_size"};

/* One launch of a visit gets a digest of all its arguments. */
static void put_digest(ba_buf *b, const ba_ptx_param *params, size_t count)
{
	ba_buf_puts(b, "\tmov.u64 %fold, 0;\n");
	for (size_t i = 0; i < BA_COUNT(shape); i++) {
		ba_buf_printf(b, "\tmov.u32 %%w, %%%s;\n\tcvt.u64.u32 %%v, %%w;\n", shape[i]);
		put_fold(b);
	}
	put_all_words(b, params, count, true);
	ba_buf_puts(b, "\tmov.u64 %v, %fold;\n");
}

/* Counts the launch, and adds the sum times 2 * launches before + 1. */
static void put_null_body(ba_buf *b, const ba_ptx_param *params, size_t count,
	uint64_t record_address, uint64_t mirror_address)
{
	bool mirrored = mirror_address != 0;
	if (!record_address) {
		ba_buf_puts(b, "{\n\tret;\n}\n\n");
		return;
	}
	ba_buf_printf(b,
		"{\n"
		"\t.reg .u64 %%rec, %%mirror, %%n, %%v, %%moment, %%sum, %%fold, %%from, %%end;\n"
		"\t.reg .u32 %%w;\n"
		"\t.reg .pred %%more;\n"
		"\tmov.u64 %%rec, 0x%016" PRIx64 ";\n"
		"\tmov.u64 %%mirror, 0x%016" PRIx64 ";\n"
		"\tld.volatile.global.u64 %%moment, [%%rec+%zu];\n"
		"\tmov.u64 %%sum, 0;\n",
		record_address, mirror_address, offsetof(ba_ptx_record, moment));
	put_all_words(b, params, count, false);
	ba_buf_puts(b, "\tmov.u64 %v, 1;\n");
	put_mark(b, 0, mirrored);
	ba_buf_puts(b, "\tsetp.ne.u64 %more, %n, %moment;\n");
	if (count) {
		ba_buf_puts(b, "\tadd.u64 %n, %n, %n;\n"
			       "\tadd.u64 %n, %n, 1;\n"
			       "\tmul.lo.u64 %v, %sum, %n;\n");
		put_mark(b, 1, mirrored);
	}
	ba_buf_puts(b, "\t@%more ret;\n");
	put_digest(b, params, count);
	put_mark(b, 2, mirrored);
	ba_buf_puts(b, "\tret;\n}\n\n");
}

/* Only the first thread writes anything but the number of threads. */
static void put_first_thread_test(ba_buf *b)
{
	static const char *const others[] = {"ctaid.y", "ctaid.z", "tid.x", "tid.y", "tid.z"};
	ba_buf_puts(b, "\tmov.u32 %w, %ctaid.x;\n");
	for (size_t i = 0; i < BA_COUNT(others); i++)
		ba_buf_printf(b, "\tmov.u32 %%x, %%%s;\n\tor.b32 %%w, %%w, %%x;\n", others[i]);
	ba_buf_puts(b, "\tsetp.ne.u32 %more, %w, 0;\n\t@%more ret;\n");
}

static void put_check_body(
	ba_buf *b, const ba_ptx_param *params, size_t count, uint64_t record_address)
{
	ba_buf_puts(b, "{\n"
		       "\t.reg .u64 %rec, %v, %from, %to, %end;\n"
		       "\t.reg .u32 %w, %x;\n"
		       "\t.reg .u16 %c;\n"
		       "\t.reg .pred %more;\n");
	ba_buf_printf(b, "\tmov.u64 %%rec, 0x%016" PRIx64 ";\n", record_address);
	ba_buf_printf(
		b, "\tred.global.add.u64 [%%rec+%zu], 1;\n", offsetof(ba_ptx_record, threads));
	put_first_thread_test(b);
	ba_buf_printf(
		b, "\tred.global.add.u64 [%%rec+%zu], 1;\n", offsetof(ba_ptx_record, launches));
	for (size_t i = 0; i < BA_COUNT(shape); i++)
		ba_buf_printf(b, "\tmov.u32 %%w, %%%s;\n\tst.global.u32 [%%rec+%zu], %%w;\n",
			shape[i], offsetof(ba_ptx_record, grid) + 4 * i);
	ba_buf_printf(b, "\tmov.u32 %%w, %zu;\n\tst.global.u32 [%%rec+%zu], %%w;\n",
		ba_ptx_offset(params, count, count), offsetof(ba_ptx_record, param_bytes));
	for (size_t i = 0, at = sizeof(ba_ptx_record); i < count; i++) {
		if (params[i].bytes > UNROLLED_BYTES)
			put_copy_loop(b, i, params[i].bytes, at);
		else
			put_copies(b, i, 0, params[i].bytes, at);
		at += padded(params[i].bytes);
	}
	ba_buf_puts(b, "\tret;\n}\n");
}

int ba_ptx_generate(ba_buf *out, const ba_ptx_param *params, size_t count, uint64_t record_address,
	uint64_t mirror_address, ba_error *err)
{
	BA_TRY(check_layout(params, count, err));
	size_t bytes = ba_ptx_offset(params, count, count);
	ba_buf_printf(out, ".version %s\n.target sm_70\n.address_size 64\n\n",
		bytes > BA_PTX_BYTES_OLD ? "8.1" : "7.0");
	put_signature(out, BA_PTX_ENTRY_NULL, params, count);
	put_null_body(out, params, count, record_address, mirror_address);
	put_signature(out, BA_PTX_ENTRY_CHECK, params, count);
	put_check_body(out, params, count, record_address);
	return 0;
}

static int expect_dims(
	const char *what, const uint32_t got[3], const uint32_t want[3], ba_error *err)
{
	if (!memcmp(got, want, 3 * sizeof(got[0])))
		return 0;
	return ba_fail(err, BA_EVARIANT,
		"the kernel ran with %s (%u, %u, %u) instead of (%u, %u, %u)", what, got[0], got[1],
		got[2], want[0], want[1], want[2]);
}

static int expect_shape(const ba_ptx_record *r, const ba_ptx_launch *launch, ba_error *err)
{
	uint64_t threads = launch->launches;
	for (int i = 0; i < 3; i++)
		threads *= (uint64_t)launch->grid[i] * launch->block[i];
	if (r->launches != launch->launches)
		return ba_fail(err, BA_EVARIANT, "%" PRIu64 " launches arrived instead of %" PRIu64,
			r->launches, launch->launches);
	BA_TRY(expect_dims("grid", r->grid, launch->grid, err));
	BA_TRY(expect_dims("block", r->block, launch->block, err));
	if (r->shared_bytes != launch->shared_bytes)
		return ba_fail(err, BA_EVARIANT,
			"the kernel ran with %u bytes of dynamic shared memory instead of %u",
			r->shared_bytes, launch->shared_bytes);
	if (r->threads != threads)
		return ba_fail(err, BA_EVARIANT, "%" PRIu64 " threads ran instead of %" PRIu64,
			r->threads, threads);
	return 0;
}

int ba_ptx_expect(const void *record, const ba_ptx_param *params, size_t count, void *const *args,
	const ba_ptx_launch *launch, ba_error *err)
{
	ba_ptx_record head;
	memcpy(&head, record, sizeof(head));
	BA_TRY(expect_shape(&head, launch, err));
	size_t total = ba_ptx_offset(params, count, count);
	if (head.param_bytes != total)
		return ba_fail(err, BA_EVARIANT,
			"another kernel ran: it takes %u bytes of parameters, not %zu",
			head.param_bytes, total);
	const unsigned char *got = (const unsigned char *)record + sizeof(head);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *want = args[i];
		for (size_t k = 0; k < params[i].bytes; k++)
			if (got[k] != want[k])
				return ba_fail(err, BA_EVARIANT,
					"argument %zu reached the kernel wrong: byte %zu of %u is 0x%02x instead of 0x%02x",
					i, k, params[i].bytes, got[k], want[k]);
		got += padded(params[i].bytes);
	}
	return 0;
}
