/* the option table: what is accepted, what is refused and in which words */
#include "test.h"

#include "opt_check.h"

#include "base/mem.h"
#include "cli/opt.h"

static const char *const words_color[] = {"auto", "always", "never", NULL};

/* the table under test and what it filled */
typedef struct fixture {
	bool quiet, no_build;
	const char *output;
	int repeats, color;
	uint64_t seed;
	int64_t budget_ns;
	double threshold;
	ba_strv filter, operands;
	ba_error err;
	int rc;
	bool seen_quiet, seen_seed;
} fixture;

static void parse(fixture *f, const char *const *argv)
{
	*f = (fixture){.color = -1};
	ba_opt rows[] = {
		OPT_GROUP("Measuring"),
		OPT_INT_IN('n', "repeats", &f->repeats, 1, 100, "repeat <n> times"),
		OPT_U64(0, "seed", &f->seed, "<n>: start of the schedule"),
		OPT_DURATION('b', "budget", &f->budget_ns, "stop after <time>"),
		OPT_RATIO(0, "threshold", &f->threshold, "smallest change, a <ratio>"),
		OPT_LIST('f', "filter", &f->filter, "only what matches <glob>"),
		OPT_GROUP("Output"),
		OPT_FLAG('q', "quiet", &f->quiet, "only the answer"),
		OPT_FLAG(0, "no-build", &f->no_build, "build nothing"),
		OPT_STRING('o', "output", &f->output, "write the results to <file>"),
		OPT_CHOICE_OR(0, "color", &f->color, words_color, "always", "colour"),
		OPT_END,
	};
	BA_AUTO(ba_buf) ba_buf mistake = BA_BUF_INIT;
	if (!opt_check(&mistake, rows))
		fail_msg("%s", mistake.data);
	int argc = 0;
	while (argv[argc])
		argc++;
	f->rc = ba_opt_parse(&f->operands, rows, argc, (char *const *)argv, &f->err);
	f->seen_quiet = ba_opt_seen(rows, "quiet");
	f->seen_seed = ba_opt_seen(rows, "seed");
}

static void done(fixture *f)
{
	ba_strv_dispose(&f->filter);
	ba_strv_dispose(&f->operands);
}

#define ARGV(...) ((const char *[]){__VA_ARGS__, NULL})

TEST(values_may_follow_or_be_attached)
{
	fixture f;
	parse(&f, ARGV("--repeats", "7", "--seed=18446744073709551615", "-b250ms", "--threshold",
			  "1.5%", "-o=out.json", "-n", "9"));
	assert_int_equal(f.rc, 0);
	assert_int_equal(f.repeats, 9); /* the last one counts */
	assert_true(f.seed == UINT64_MAX);
	assert_int_equal(f.budget_ns, 250000000);
	assert_close(f.threshold, 0.015, 1e-12);
	assert_string_equal(f.output, "out.json");
	assert_true(f.seen_seed);
	assert_false(f.seen_quiet);
	done(&f);
}

TEST(operands_may_stand_anywhere)
{
	fixture f;
	parse(&f, ARGV("main", "-q", "-", "--", "--seed", "-q"));
	assert_int_equal(f.rc, 0);
	assert_true(f.quiet);
	assert_int_equal(f.operands.count, 4);
	assert_string_equal(f.operands.items[0], "main");
	assert_string_equal(f.operands.items[1], "-");
	assert_string_equal(f.operands.items[2], "--seed");
	assert_string_equal(f.operands.items[3], "-q");
	done(&f);
}

TEST(lists_grow_and_keep_their_commas)
{
	fixture f;
	parse(&f, ARGV("-f", "launch/args=2,path=x", "--filter=*args=4", "-qfthird"));
	assert_int_equal(f.rc, 0);
	assert_int_equal(f.filter.count, 3);
	assert_string_equal(f.filter.items[0], "launch/args=2,path=x");
	assert_string_equal(f.filter.items[2], "third");
	assert_true(f.quiet);
	done(&f);
}

TEST(flags_have_a_negative)
{
	fixture f;
	parse(&f, ARGV("-q", "--no-quiet", "--no-build"));
	assert_int_equal(f.rc, 0);
	assert_false(f.quiet);
	assert_true(f.seen_quiet);
	assert_true(f.no_build);
	done(&f);
	parse(&f, ARGV("--no-build", "--build"));
	assert_int_equal(f.rc, 0);
	assert_false(f.no_build);
	done(&f);
}

TEST(a_choice_may_imply_a_word)
{
	fixture f;
	parse(&f, ARGV("--color", "never"));
	assert_int_equal(f.rc, 0);
	assert_int_equal(f.color, 1); /* "never" is an operand */
	assert_int_equal(f.operands.count, 1);
	done(&f);
	parse(&f, ARGV("--color=never"));
	assert_int_equal(f.color, 2);
	done(&f);
}

TEST(mistakes_are_named)
{
	static const struct {
		const char *words[4];
		const char *sentence;
	} rows[] = {
		{{"--treshold", "1%"}, "'--treshold'; did you mean '--threshold'?"},
		{{"--filt"}, "did you mean '--filter'?"},
		{{"--no-quite"}, "did you mean '--no-quiet'?"},
		{{"--zzzzzz"}, "no such option '--zzzzzz'; --help lists them"},
		{{"-z"}, "no such option '-z'"},
		{{"-qz"}, "no such option in '-qz' from its letter 2 on"},
		{{"-quiet"}, "did you mean '--quiet'?"},
		{{"--output"}, "--output needs a value: --output <file>"},
		{{"-o"}, "-o needs a value: -o <file>"},
		{{"--quiet=1"}, "--quiet takes no value"},
		{{"--no-quiet=1"}, "--no-quiet takes no value"},
		{{"--no-output", "x"}, "no such option '--no-output'"},
		{{"--repeats", "0"}, "out of range (1 to 100)"},
		{{"--repeats", "1e3"}, "not a whole number"},
		{{"--repeats="}, "--repeats: "},
		{{"--seed", "-1"}, "--seed: -1 is out of range"},
		{{"--budget", "10 parsecs"}, "--budget: "},
		{{"--threshold", "-1%"}, "--threshold"},
		{{"--color=alway"}, "--color cannot be 'alway'; did you mean 'always'?"},
		{{"--color=mauve"}, "--color cannot be 'mauve': it is auto, always or never"},
		{{"--\033[2J"}, "'--\\x1b[2J'"},
		{{"--color=\033"}, "'\\x1b'"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fixture f;
		parse(&f, rows[i].words);
		assert_int_equal(f.rc, BA_EINVAL);
		assert_has(f.err.text, rows[i].sentence);
		done(&f);
	}
}

TEST(a_wrong_table_is_noticed)
{
	bool flag;
	int choice;
	static const char *const none[] = {NULL};
	ba_opt twice[] = {OPT_FLAG(0, "a", &flag, "x"), OPT_FLAG(0, "a", &flag, "x"), OPT_END};
	ba_opt letter[] = {OPT_FLAG('a', "a", &flag, "x"), OPT_FLAG('a', "b", &flag, "x"), OPT_END};
	ba_opt mute[] = {OPT_FLAG(0, "a", &flag, ""), OPT_END};
	ba_opt stop[] = {OPT_FLAG(0, "a", &flag, "x."), OPT_END};
	ba_opt empty[] = {OPT_CHOICE(0, "a", &choice, none, "x"), OPT_END};
	ba_opt *const tables[] = {twice, letter, mute, stop, empty};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		BA_AUTO(ba_buf) ba_buf mistake = BA_BUF_INIT;
		assert_false(opt_check(&mistake, tables[i]));
		assert_has(mistake.data, "option --");
	}
}

TEST(given_options_can_be_passed_on)
{
	static const char *const when[] = {"auto", "always", NULL};
	bool quiet = false, keep = true;
	const char *output = NULL;
	int n = 0, colour = 0, shade = 0;
	BA_AUTO(ba_strv) ba_strv filters = {0};
	ba_opt rows[] = {
		OPT_FLAG('q', "quiet", &quiet, "only the answer"),
		OPT_FLAG('k', "keep", &keep, "keep it"),
		OPT_STRING('o', "output", &output, "write to <file>"),
		OPT_INT_IN('n', "number", &n, 0, INT32_MAX, "<n> of them"),
		OPT_LIST('f', "filter", &filters, "only <glob>"),
		OPT_CHOICE_OR(0, "color", &colour, when, "always", "colour <when>"),
		OPT_CHOICE(0, "shade", &shade, when, "shade <when>"),
		OPT_END,
	};
	const char *const argv[] = {"one", "-o", "one", "-qn3", "two", "-fa*", "--filter=b",
		"--no-keep", "--color", "--output=x", "--shade", "auto", "--", "-k", NULL};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_strv) ba_strv all = {0};
	BA_AUTO(ba_strv) ba_strv some = {0};
	assert_int_equal(ba_opt_parse(&operands, rows, 14, (char *const *)argv, NULL), 0);
	const char *const but[] = {"number", NULL};
	ba_opt_again(&all, rows, rows, but + 1);
	BA_AUTO_FREE char *again = ba_strv_join(&all, " ");
	assert_string_equal(again,
		"--quiet --output x --number 3 --filter a* --filter b --color=always --shade auto");
	/* and what another command does not have is left out */
	const ba_opt other[] = {OPT_FLAG(0, "quiet", &quiet, "x"),
		OPT_INT_IN(0, "number", &n, 0, 9, "<n>"), OPT_END};
	ba_opt_again(&some, rows, other, but + 1);
	BA_AUTO_FREE char *few = ba_strv_join(&some, " ");
	assert_string_equal(few, "--quiet --number 3");
	BA_AUTO(ba_strv) ba_strv one = {0};
	ba_opt_again(&one, rows, other, but);
	assert_int_equal(one.count, 1);
	assert_string_equal(one.items[0], "--quiet");
}
