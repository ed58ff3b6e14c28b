/* `bench-against replay` from file to exit status: what it answers, and what it says of
 * traces that are no traces. */
#include "test.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/base.h"
#include "base/rng.h"
#include "cli/cmd.h"
#include "store/trace_csv.h"

#define HEADER BA_TRACE_CSV_HEADER "\n"
/* one block of one invocation, a visit a line */
#define BLOCK(b, i, k)                                                                           \
	b "," i "," k ",0,A,0,100\n" b "," i "," k ",1,B,0,101\n" b "," i "," k ",2,B,0,101\n" b \
	  "," i "," k ",3,A,0,100\n"

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED 0
#endif

static char directory[] = "/tmp/ba-replay-XXXXXX";
static char *trace_path, *out_path, *err_path;

typedef struct answer {
	int status;
	ba_buf out, err;
} answer;

static void answer_dispose(answer *a)
{
	ba_buf_dispose(&a->out);
	ba_buf_dispose(&a->err);
}
BA_DEFINE_AUTO(answer, answer_dispose)

static int redirect(int fd, const char *path)
{
	int kept = dup(fd), file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(kept >= 0 && file >= 0);
	dup2(file, fd);
	close(file);
	return kept;
}

static void restore(int fd, int kept)
{
	dup2(kept, fd);
	close(kept);
}

static void set_trace(const char *text, size_t size)
{
	assert_int_equal(ba_fs_write(trace_path, text, size, 0600, NULL), 0);
}

/* arguments end with NULL; the trace's path is appended unless the first is "-" */
static answer replay(const char *const *arguments)
{
	answer a = {.out = BA_BUF_INIT, .err = BA_BUF_INIT};
	char *argv[16] = {(char *)"replay"};
	int argc = 1;

	for (; arguments && *arguments; arguments++)
		argv[argc++] = (char *)*arguments;
	argv[argc++] = trace_path;
	fflush(stdout);
	fflush(stderr);
	int out = redirect(STDOUT_FILENO, out_path), err = redirect(STDERR_FILENO, err_path);

	a.status = ba_cmd_call(ba_command_named("replay"), argc, argv);
	fflush(stdout);
	fflush(stderr);
	restore(STDOUT_FILENO, out);
	restore(STDERR_FILENO, err);
	assert_int_equal(ba_fs_read(&a.out, out_path, 1 << 28, NULL), 0);
	assert_int_equal(ba_fs_read(&a.err, err_path, 1 << 20, NULL), 0);
	return a;
}

static answer replay_text(const char *text, const char *const *arguments)
{
	set_trace(text, strlen(text));
	return replay(arguments);
}

/* a made trace: readings of about 1 ms, B slower by `effect`; 0 is the default of the
 * others, in brackets */
typedef struct made {
	const char *benchmark;	      /* "launch" */
	double effect, noise;	      /* noise .003 */
	unsigned invocations, blocks; /* 32, 2 */
	uint64_t seed;
} made;

static double gaussian(uint64_t *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(ba_splitmix64(rng) >> 11) * 0x1p-53;
	return sum;
}

/* a CSV field, quoted if necessary */
static void put_name(ba_buf *out, const char *name)
{
	if (!strpbrk(name, ",\"\r\n") && name[0] != '#') {
		ba_buf_puts(out, name);
		return;
	}
	ba_buf_putc(out, '"');
	for (const char *p = name; *p; p++) {
		if (*p == '"')
			ba_buf_putc(out, '"');
		ba_buf_putc(out, *p);
	}
	ba_buf_putc(out, '"');
}

static void put_row(ba_buf *out, const ba_trace_row *row)
{
	put_name(out, row->benchmark);
	ba_buf_printf(out, ",%u,%u,%u,", row->invocation, row->block, row->position);
	put_name(out, row->variant);
	ba_buf_printf(out, ",%u,%.17g\n", row->sample, row->ns);
}

static void make_block(
	ba_buf *out, const made *m, uint64_t *rng, unsigned invocation, unsigned block)
{
	bool baab = ba_splitmix64(rng) >> 63;

	for (unsigned position = 0; position < 4; position++) {
		bool is_b = (position == 1 || position == 2) != baab;

		for (unsigned sample = 0; sample < 5; sample++) {
			double noise = (m->noise > 0 ? m->noise : 0.003) * gaussian(rng);
			ba_trace_row row = {.benchmark = m->benchmark ? m->benchmark : "launch",
				.variant = is_b ? "B" : "A",
				.invocation = invocation,
				.block = block,
				.position = position,
				.sample = sample,
				.ns = 1e6 * exp((is_b ? m->effect : 0) + noise)};

			put_row(out, &row);
		}
	}
}

static void make(ba_buf *out, const made *m)
{
	uint64_t rng = m->seed;

	for (unsigned i = 0; i < (m->invocations ? m->invocations : 32); i++)
		for (unsigned k = 0; k < (m->blocks ? m->blocks : 2); k++)
			make_block(out, m, &rng, i, k);
}

#define MADE(...) (&(made){__VA_ARGS__})

TEST(verdicts_have_the_exit_status_of_the_worst)
{
	static const struct {
		double effect;
		const char *verdict;
		int status;
	} rows[] = {{0, "launch,unchanged,", 0}, {0.05, "launch,regressed,1.05", 1},
		{-0.05, "launch,improved,0.95", 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

		ba_buf_puts(&text, "# recorded yesterday\n" HEADER);
		make(&text, MADE(.effect = rows[i].effect));
		BA_AUTO(answer)
		answer a = replay_text(
			text.data, (const char *[]){"--threshold", "1%", "--format", "csv", NULL});

		assert_has(a.out.data, "benchmark,verdict,ratio,invocations,p_regressed,"
				       "p_improved,p_unchanged\n");
		assert_has(a.out.data, rows[i].verdict);
		assert_int_equal(a.status, rows[i].status);
		assert_string_equal(a.err.data, "");
	}
}

TEST(noise_ends_inconclusive_and_125_under_the_strict_gate)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	ba_buf_puts(&text, HEADER);
	make(&text, MADE(.noise = 0.5));
	BA_AUTO(answer) answer a = replay_text(text.data, NULL);
	BA_AUTO(answer) answer b = replay((const char *[]){"--gate=strict", NULL});

	assert_has(a.out.data, "launch,inconclusive,");
	assert_has(a.out.data, ",32,");
	assert_int_equal(a.status, 0);
	assert_int_equal(b.status, 125);
}

TEST(rows_in_any_order_give_the_same_bytes)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, rows = BA_BUF_INIT;

	make(&rows, MADE(.effect = 0.02, .invocations = 12));
	ba_buf_puts(&text, HEADER);
	ba_buf_put(&text, rows.data, rows.len);
	BA_AUTO(answer) answer a = replay_text(text.data, NULL);

	/* backwards, and a line end as other systems write it */
	ba_buf_clear(&text);
	ba_buf_puts(&text, BA_TRACE_CSV_HEADER "\r\n\r\n");
	for (size_t end = rows.len; end > 0;) {
		size_t start = end - 1;

		while (start > 0 && rows.data[start - 1] != '\n')
			start--;
		ba_buf_put(&text, rows.data + start, end - start);
		end = start;
	}
	BA_AUTO(answer) answer b = replay_text(text.data, NULL);

	assert_string_equal(a.out.data, b.out.data);
	assert_int_equal(a.status, b.status);
	assert_string_equal(b.err.data, "");
}

/* A and B are baseline and candidate whoever comes first; other names by the first row
 */
TEST(baseline_is_a_or_the_first_or_the_one_named)
{
	for (uint64_t seed = 1; seed < 8; seed++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

		ba_buf_puts(&text, HEADER);
		make(&text, MADE(.effect = 0.1, .seed = seed));
		BA_AUTO(answer) answer a = replay_text(text.data, NULL);
		BA_AUTO(answer)
		answer b = replay((const char *[]){"--baseline", "B", NULL});

		assert_int_equal(a.status, 1);
		assert_has(b.out.data, ",improved,");
	}
	static const char named[] = HEADER "x,0,0,0,new,0,100\nx,0,0,1,old,0,200\n"
					   "x,0,0,2,old,0,200\nx,0,0,3,new,0,100\n";
	BA_AUTO(answer) answer c = replay_text(named, NULL);
	BA_AUTO(answer) answer d = replay((const char *[]){"--baseline=old", NULL});
	BA_AUTO(answer) answer e = replay((const char *[]){"--baseline=nex", NULL});

	assert_has(c.out.data, "x,inconclusive,1.99999999");
	assert_has(d.out.data, "x,inconclusive,0.50000000");
	assert_has(e.err.data, "no variant 'nex'");
	assert_int_equal(e.status, 129);
}

TEST(three_variants_share_one_family_and_name_the_candidate)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	uint64_t rng = 4;

	ba_buf_puts(&text, HEADER);
	for (unsigned i = 0; i < 8; i++)
		for (unsigned k = 0; k < 2; k++)
			for (unsigned p = 0; p < 6; p++)
				ba_buf_printf(&text, "x,%u,%u,%u,%s,0,%.17g\n", i, k, p,
					(const char *[]){"A", "B", "C", "C", "B", "A"}[p],
					(p == 2 || p == 3 ? 1.1e6 : 1e6) *
						exp(0.001 * gaussian(&rng)));
	BA_AUTO(answer)
	answer a = replay_text(text.data, (const char *[]){"--format=json", NULL});

	assert_has(a.out.data, "\"family\": 2");
	assert_has(a.out.data, "\"candidate\": \"B\",\n      \"verdict\": \"unchanged\"");
	assert_has(a.out.data, "\"candidate\": \"C\",\n      \"verdict\": \"regressed\"");
	assert_int_equal(a.status, 1);
	BA_AUTO(answer) answer b = replay(NULL);
	assert_has(b.out.data, "p_unchanged,candidate\n");
}

TEST(a_larger_family_asks_for_more_invocations)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	ba_buf_puts(&text, HEADER);
	make(&text, MADE(.effect = 0.1));
	BA_AUTO(answer) answer one = replay_text(text.data, NULL);
	BA_AUTO(answer) answer many = replay((const char *[]){"--m", "100", NULL});
	BA_AUTO(answer) answer fixed = replay((const char *[]){"--fixed=5", NULL});

	assert_has(one.out.data, ",4,0.019726562499999999,1,1\n");
	assert_has(many.out.data, ",8,0.0001027");
	assert_has(fixed.out.data, ",5,0.00098632812");
	/* two benchmarks are no family of one */
	make(&text, MADE(.benchmark = "other"));
	BA_AUTO(answer)
	answer two = replay_text(text.data, (const char *[]){"--m", "1", NULL});
	assert_int_equal(two.status, 129);
	assert_has(two.err.data, "smaller than the 2 comparisons");
}

TEST(names_with_commas_and_quotes_survive)
{
	static const char text[] = HEADER BLOCK("\"attn/B=32,\"\"x\"\"\"", "0", "0");
	BA_AUTO(answer) answer csv = replay_text(text, NULL);
	BA_AUTO(answer)
	answer json = replay((const char *[]){"--format", "json", NULL});

	assert_has(csv.out.data, "\n\"attn/B=32,\"\"x\"\"\",inconclusive,");
	assert_has(json.out.data, "\"benchmark\": \"attn/B=32,\\\"x\\\"\"");
}

TEST(a_billion_nanosecond_outlier_changes_no_verdict)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	ba_buf_puts(&text, HEADER);
	make(&text, MADE(.noise = 0.001));
	char *sample = strstr(text.data, ",A,2,");
	assert_non_null(sample);
	/* over the digits of its time, which are more than ten */
	memset(sample + 5, '0', strcspn(sample + 5, "\n"));
	memcpy(sample + 5, "1000000000.", 11);
	BA_AUTO(answer) answer a = replay_text(text.data, NULL);

	assert_has(a.out.data, "launch,unchanged,");
}

TEST(one_invocation_is_an_estimate_without_a_verdict)
{
	BA_AUTO(answer) answer a = replay_text(HEADER BLOCK("x", "0", "0"), NULL);

	assert_has(a.out.data, "x,inconclusive,1.00999999");
	assert_has(a.out.data, ",1,1,1,1\n");
	assert_has(a.err.data, "fewer than the 4 invocations of the first look");
	assert_int_equal(a.status, 125);
}

TEST(a_trace_without_rows_is_not_green)
{
	BA_AUTO(answer) answer a = replay_text(HEADER, NULL);
	BA_AUTO(answer) answer b = replay((const char *[]){"--format=json", NULL});

	assert_int_equal(a.status, 125);
	assert_has(a.err.data, "no rows; nothing was measured");
	assert_has(b.out.data, "\"benchmarks\": []");
}

TEST(gaps_and_surplus_of_invocations_are_said)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	ba_buf_puts(&text, HEADER BLOCK("x", "0", "0") BLOCK("x", "2", "0"));
	make(&text, MADE(.invocations = 40, .noise = 0.5));
	BA_AUTO(answer) answer a = replay_text(text.data, NULL);

	assert_has(a.err.data, "gaps in 1 benchmark; the first is 'x'");
	assert_has(a.err.data, "beyond 32 are not used");
	assert_has(a.out.data, "launch,inconclusive,");
}

TEST(unequal_blocks_need_the_option)
{
	static const char text[] =
		HEADER BLOCK("x", "0", "0") BLOCK("x", "0", "1") BLOCK("x", "1", "0");
	BA_AUTO(answer) answer a = replay_text(text, NULL);
	BA_AUTO(answer) answer b = replay((const char *[]){"--unequal-blocks", NULL});

	assert_int_equal(a.status, 129);
	assert_has(a.err.data, "benchmark 'x', invocation 1");
	assert_has(a.err.data, "1 blocks where earlier invocations have 2");
	assert_has(a.err.data, "--unequal-blocks");
	assert_has(b.out.data, "x,inconclusive,1.00999999");
}

#define ROW(rest) HEADER BLOCK("x", "0", "0") rest

TEST(bad_traces_are_refused_with_the_place)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "is empty; a trace begins with"},
		{"# only a comment\n", "is empty"},
		{"benchmark,ns\nx,1\n", ":1: the header must be"},
		{"\x1b[31mred\n", "not '\\x1b[31mred'"},
		{ROW("x,1,0,0,A,0,0\n"), ":6: ns '0' is not a positive time"},
		{ROW("x,1,0,0,A,0,-5\n"), ":6: ns '-5' is not a positive time"},
		{ROW("x,1,0,0,A,0,nan\n"), ":6: ns 'nan' is not a number"},
		{ROW("x,1,0,0,A,0,inf\n"), ":6: ns 'inf' is not a number"},
		{ROW("x,1,0,0,A,0,0x10\n"), ":6: ns '0x10' is not a number"},
		{ROW("x,1,0,0,A,0,1e300\n"), "not between 1e-9 and 1e18"},
		{ROW("x,1,0,0,A,0,1e-300\n"), "not between 1e-9 and 1e18"},
		{ROW("x,1,0,0,A,0,\n"), ":6: ns '' is not a number"},
		{ROW("x,1,0,0,A,0,12 \n"), ":6: ns '12 ' is not a number"},
		{ROW("x,1,0,0,A,0\n"), ":6: 6 fields"},
		{ROW("x,1,0,0,A,0,5,6\n"), ":6: more than 7 fields"},
		{ROW("x,-1,0,0,A,0,5\n"), ":6: invocation '-1' is not a whole number"},
		{ROW("x,1,4294967296,0,A,0,5\n"), "block '4294967296' is not a whole"},
		{ROW("x,1,99999999999999999999999,0,A,0,5\n"), "is not a whole number"},
		{ROW("x,1,0,one,A,0,5\n"), "position 'one' is not a whole number"},
		{ROW("x,1,0,0,A,,5\n"), "sample '' is not a whole number"},
		{ROW(",1,0,0,A,0,5\n"), "the benchmark has no name"},
		{ROW("x,1,0,0,,0,5\n"), "the variant has no name"},
		{ROW("\"x,1,0,0,A,0,5\n"), ":6: a quote is not closed"},
		{ROW("\"x\"y,1,0,0,A,0,5\n"), ":6: text after a closing quote"},
		{ROW("a\tb,1,0,0,A,0,5\n"), "has control characters or is not UTF-8"},
		{ROW("a\xff,1,0,0,A,0,5\n"), "has control characters or is not UTF-8"},
		/* structure */
		{HEADER "x,0,0,0,A,0,5\n", "'A' is the only variant"},
		{ROW("x,1,0,0,C,0,5\n"), "variant 'C'"},
		{ROW("x,0,0,3,A,0,100\n"), "line 6 repeats line 5: block 0, position 3"},
		{ROW("x,0,0,3,B,1,100\n"), "belongs to 'B' here and to 'A' in line 5"},
		{HEADER "x,0,0,0,A,0,5\nx,0,0,2,B,0,5\n", "position 1 of block 0 is missing"},
		{HEADER "x,0,0,0,A,0,5\nx,0,0,1,B,0,5\nx,0,0,2,B,0,5\n",
			"1 visits of 'A' and 2 of 'B'"},
		{HEADER "x,0,0,2,A,0,5\nx,0,0,3,B,0,5\n", "position 0 of block 0 is missing"},
		{ROW("x,0,2,0,A,0,5\nx,0,2,1,B,0,5\nx,0,2,2,B,0,5\nx,0,2,3,A,0,5\n"),
			"block 1 is missing"},
		{HEADER BLOCK("x", "0", "3"), "block 0 is missing (the first is 3)"},
		{ROW("x,0,1,0,A,0,5\nx,0,1,1,B,0,5\n"),
			"block 1 has 2 positions where others have 4"},
		{ROW("x,0,1,0,A,0,5\nx,0,1,1,A,0,5\nx,0,1,2,A,0,5\nx,0,1,3,A,0,5\n"),
			"variant 'B' is absent from block 1"},
		{ROW("y,0,0,0,B,0,5\ny,0,0,1,B,0,5\n"),
			"benchmark 'y', invocation 0: line 6: variant 'A' is absent"},
		{ROW("x,1,0,0,A,0,5\nx,1,0,1,B,0,5\n"),
			"blocks of 2 positions where earlier invocations have 4"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(answer) answer a = replay_text(rows[i].text, NULL);

		assert_has(a.err.data, rows[i].says);
		assert_null(strchr(a.err.data, '\x1b'));
		assert_int_equal(a.status, 129);
		assert_string_equal(a.out.data, "");
	}
}

TEST(odd_bytes_and_long_lines_are_refused)
{
	static const char nul[] = HEADER "x,0,0,0,A,0,5\0\n";
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	set_trace(nul, sizeof(nul) - 1);
	BA_AUTO(answer) answer a = replay(NULL);
	assert_has(a.err.data, ":2: a NUL byte");
	assert_int_equal(a.status, 129);

	ba_buf_puts(&text, HEADER);
	ba_buf_pad(&text, 'x', 1 << 20);
	BA_AUTO(answer) answer b = replay_text(text.data, NULL);
	assert_has(b.err.data, ":2: the line is longer than 65535 bytes");
	assert_int_equal(b.status, 129);
}

TEST(bad_options_are_usage_errors)
{
	static const struct {
		const char *arguments[3], *says;
	} rows[] = {
		{{"--threshold", "0"}, "--threshold: 0 would call"},
		{{"--threshold=-1%"}, "threshold"},
		{{"--threshold", "abc"}, "abc"},
		{{"--threshold", "1"}, "write 1% or 0.01"},
		{{"--threshold=nan"}, "nan"},
		{{"--alpha", "0"}, "--alpha"},
		{{"--alpha", "0.9"}, "--alpha"},
		{{"--m", "0"}, "out of range"},
		{{"--fixed", "1"}, "out of range"},
		{{"--format", "xml"}, "xml"},
		{{"--multiplicity", "sidak"}, "sidak"},
		{{"--thresold", "1%"}, "threshold"},
		{{"other.csv"}, "beside TRACE"},
	};

	set_trace(HEADER, strlen(HEADER));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(answer) answer a = replay(rows[i].arguments);

		assert_has(a.err.data, rows[i].says);
		assert_int_equal(a.status, 129);
		assert_string_equal(a.out.data, "");
	}
}

TEST(a_missing_file_and_a_directory_are_named)
{
	unlink(trace_path);
	BA_AUTO(answer) answer a = replay(NULL);
	assert_has(a.err.data, trace_path);
	assert_has(a.err.data, "No such file");
	assert_int_equal(a.status, 129);
	assert_int_equal(mkdir(trace_path, 0700), 0);
	BA_AUTO(answer) answer b = replay(NULL);
	rmdir(trace_path);
	assert_has(b.err.data, "Is a directory");
	assert_int_equal(b.status, 129);
}

/* 300 000 rows in the memory of one invocation */
TEST(memory_does_not_grow_with_the_rows)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	struct rusage before, after;

	ba_buf_puts(&text, HEADER);
	for (unsigned b = 0; b < 60; b++) {
		char name[16];

		snprintf(name, sizeof(name), "b%u", b);
		make(&text, MADE(.benchmark = name, .blocks = 8, .seed = b + 1));
	}
	set_trace(text.data, text.len);
	getrusage(RUSAGE_SELF, &before);
	BA_AUTO(answer) answer a = replay(NULL);

	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(a.status, 0);
	/* a sanitizer keeps what was freed */
	assert_true(IS_SANITIZED || after.ru_maxrss - before.ru_maxrss < 4096);
}

static int make_directory(void **state)
{
	if (!mkdtemp(directory))
		return -1;
	trace_path = ba_path_join(directory, "trace.csv");
	out_path = ba_path_join(directory, "out");
	err_path = ba_path_join(directory, "err");
	return 0;
}

static int remove_directory(void **state)
{
	free(trace_path);
	free(out_path);
	free(err_path);
	return ba_fs_remove_tree(directory, NULL);
}
TEST_GROUP(make_directory, remove_directory);
