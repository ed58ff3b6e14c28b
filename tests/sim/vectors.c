/* Every number of tests/data/statistics-vectors.json, made with scipy 1.10.1, to 1e-10.
 */
#include "test.h"

#include "base/base.h"
#include "base/rng.h"
#include "json/json.h"
#include "stats/logratio.h"
#include "stats/multiple.h"
#include "stats/planning.h"
#include "stats/quantile.h"
#include "stats/sequential.h"
#include "stats/student.h"

#define TOLERANCE 1e-10

#define EACH(item, list) \
	for ((item) = ba_json_first(list); ba_json_is(item); (item) = ba_json_next(item))

static ba_json *document;
static ba_json_value vectors;

static ba_json_value member(ba_json_value object, const char *name)
{
	ba_json_value value = ba_json_find(object, name);

	if (!ba_json_is(value))
		fail_msg("the vectors have no '%s'", name);
	return value;
}

static double value_of(ba_json_value v)
{
	double value = NAN;

	assert_int_equal(ba_json_type_of(v), BA_JSON_NUMBER);
	assert_int_equal(ba_json_as_f64(&value, v, NULL), 0);
	return value;
}

static double number(ba_json_value object, const char *name)
{
	return value_of(member(object, name));
}

static double cell(ba_json_value row, int i)
{
	return value_of(ba_json_at(row, (size_t)i));
}

static const char *text_of(ba_json_value v)
{
	const char *text = "";

	assert_int_equal(ba_json_as_string(&text, v, NULL), 0);
	return text;
}

/* the array's numbers into out; their count */
static size_t numbers(double *out, size_t room, ba_json_value array)
{
	size_t n = ba_json_count(array);

	assert_true(n > 0 && n <= room);
	for (size_t i = 0; i < n; i++)
		out[i] = cell(array, (int)i);
	return n;
}

TEST(tails_of_t)
{
	ba_json_value row, table = member(vectors, "t_sf");

	assert_int_equal(ba_json_count(table), 99);
	EACH (row, table) {
		double p = cell(row, 2);

		assert_close(ba_t_sf(cell(row, 0), cell(row, 1)), p, p < 1e-20 ? 1e-8 : TOLERANCE);
	}
}

/* scipy 1.10.1 inverts by a root finder that stops at some 1e-9 (26 of these rows miss
 * its own tail by more than 1e-10; unit/stats_student.c has a closed form that shows
 * it). So the rows to their own precision, and our inverse against the tails above. */
TEST(quantiles_of_t)
{
	ba_json_value row, table = member(vectors, "t_isf");

	assert_int_equal(ba_json_count(table), 77);
	EACH (row, table) {
		double p = cell(row, 0), nu = cell(row, 1), t = ba_t_isf(p, nu);

		assert_close(t, cell(row, 2), 5e-9);
		assert_close(ba_t_sf(t, nu), p, 1e-12);
	}
}

TEST(upper_limits_of_a_standard_deviation)
{
	ba_json_value row;

	EACH (row, member(vectors, "s_upper_factor_90"))
		assert_close(ba_s_upper_factor_90(cell(row, 0)), cell(row, 1), TOLERANCE);
}

TEST(summaries)
{
	ba_json_value s = member(vectors, "summaries"), m = member(vectors, "midmean5");
	double x[16];
	size_t n = numbers(x, 16, member(s, "x"));

	assert_close(ba_hodges_lehmann(x, n), number(s, "hodges_lehmann"), TOLERANCE);
	assert_close(ba_mean(x, n), number(s, "mean"), TOLERANCE);
	assert_close(ba_trim25(x, n), number(s, "midmean"), TOLERANCE);
	assert_close(ba_median(x, n), number(s, "median"), TOLERANCE);
	n = numbers(x, 16, member(m, "x"));
	assert_close(ba_trim25(x, n), number(m, "midmean"), TOLERANCE);
}

TEST(blocks)
{
	ba_json_value block = member(vectors, "block"), visits = member(block, "visits");
	double v[8], d[2];
	unsigned char order[8];

	for (int b = 0; b < 2; b++) {
		const char *letters = text_of(ba_json_at(member(block, "orientation"), (size_t)b));

		for (int i = 0; i < 4; i++) {
			v[4 * b + i] = log(cell(ba_json_at(visits, (size_t)b), i));
			order[4 * b + i] = letters[i] == 'B';
		}
		d[b] = ba_block_contrast(v + 4 * b, order + 4 * b, 4, 0, 1);
		assert_close(d[b], cell(member(block, "d"), b), TOLERANCE);
	}
	assert_close(ba_logratio_of_visits(
			     v, &(ba_readings){.blocks = 2, .positions = 4, .order = order}, 0, 1)
			     .y,
		number(block, "y"), TOLERANCE);
}

static size_t rejections(bool *rejected, const double *p, size_t n, double q, ba_multiplicity how)
{
	return ba_multiple_reject(rejected, p, n, n, q, how);
}

/* an adjusted p is the smallest level at which the hypothesis is rejected */
static void check_level(const double *p, size_t n, size_t i, double adjusted, ba_multiplicity how)
{
	bool rejected[32];

	rejections(rejected, p, n, adjusted * (1 + TOLERANCE), how);
	assert_true(rejected[i] || adjusted == 1);
	rejections(rejected, p, n, adjusted * (1 - TOLERANCE), how);
	assert_false(rejected[i]);
}

TEST(multiplicity)
{
	static const struct {
		const char *name;
		ba_multiplicity how;
		size_t rejected;
	} rows[] = {
		{"bh_adjusted", BA_MULTIPLICITY_BH, 4},
		{"holm_adjusted", BA_MULTIPLICITY_HOLM, 3},
		{"by_adjusted", BA_MULTIPLICITY_BY, 3},
	};
	ba_json_value m = member(vectors, "multiplicity");
	double p[32];
	bool rejected[32];
	size_t n = numbers(p, 32, member(m, "p"));

	for (size_t r = 0; r < 3; r++) {
		for (size_t i = 0; i < n; i++)
			check_level(p, n, i, cell(member(m, rows[r].name), (int)i), rows[r].how);
		assert_int_equal(rejections(rejected, p, n, 0.05, rows[r].how), rows[r].rejected);
	}
}

TEST(worked_looks)
{
	ba_json_value worked = member(vectors, "worked"), look;
	const ba_policy policy = {.alpha = .05, .s_floor = BA_S_FLOOR, .rule = BA_RULE_FIRST};
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	double y[32];
	size_t n = numbers(y, 32, member(worked, "y")), at = 0;
	const ba_policy policy90 = {.alpha = 0.10, .s_floor = BA_S_FLOOR};
	ba_decision d, ninety;

	assert_int_equal(n, 32);
	ba_decision_init(&d, number(worked, "theta"), number(worked, "theta"));
	ninety = d;
	EACH (look, member(worked, "looks")) {
		assert_int_equal(design.at[at], (size_t)number(look, "R"));
		assert_close(design.weight[at], number(look, "w"), TOLERANCE);
		ba_decision_look(&d, &policy, &design, at, y);
		double t = (d.ybar - 0.5 * d.d_reg) / d.se;
		double nu = (double)design.at[at] - 1;

		assert_close(d.ybar, number(look, "ybar"), TOLERANCE);
		assert_close(d.s, number(look, "s"), TOLERANCE);
		assert_close(d.se, number(look, "se"), TOLERANCE);
		assert_close(t, number(look, "t_reg"), TOLERANCE);
		assert_close(ba_t_sf(t, nu), number(look, "p_reg_raw"), TOLERANCE);
		assert_close(d.p_reg, number(look, "p_reg_seq"), TOLERANCE);
		assert_close(d.p_imp, number(look, "p_imp_seq"), TOLERANCE);
		assert_close(d.p_eq, number(look, "p_eq_seq"), TOLERANCE);
		assert_close(expm1(d.ybar), number(look, "est"), TOLERANCE);
		ba_decision_look(&ninety, &policy90, &design, at++, y);
		assert_close(expm1(ninety.lo), number(look, "lo90"), TOLERANCE);
		assert_close(expm1(ninety.hi), number(look, "hi90"), TOLERANCE);
	}
	assert_int_equal(at, 7);
}

TEST(worked_unchanged_looks)
{
	ba_json_value worked = member(vectors, "worked_unchanged"), look;
	const ba_policy policy = {.alpha = .05, .s_floor = BA_S_FLOOR, .rule = BA_RULE_FIRST};
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	double y[32];
	size_t at = 0;
	ba_decision d;

	numbers(y, 32, member(worked, "y"));
	ba_decision_init(&d, number(worked, "theta"), number(worked, "theta"));
	EACH (look, member(worked, "looks")) {
		ba_decision_look(&d, &policy, &design, at++, y);
		double nu = (double)d.invocations - 1, de = 1.25 * d.d_reg;

		assert_close(d.ybar, number(look, "ybar"), TOLERANCE);
		assert_close(d.se, number(look, "se"), TOLERANCE);
		assert_close(ba_t_sf((de + d.ybar) / d.se, nu), number(look, "tost_lo"), TOLERANCE);
		assert_close(ba_t_sf((de - d.ybar) / d.se, nu), number(look, "tost_hi"), TOLERANCE);
		assert_close(d.p_eq, number(look, "p_eq_seq"), TOLERANCE);
		assert_close(d.p_reg, number(look, "p_reg_seq"), TOLERANCE);
	}
	assert_int_equal(at, 3);
}

TEST(one_sample_tests)
{
	ba_json_value test = member(vectors, "ttest_1samp");
	ba_json_value hl = member(vectors, "hodges_lehmann_12");
	double y[32];
	size_t n = numbers(y, 32, member(test, "y"));
	double t = (ba_mean(y, n) - number(test, "null")) / (ba_stdev(y, n) / sqrt((double)n));

	assert_close(t, number(test, "t"), TOLERANCE);
	assert_close(ba_t_sf(t, (double)n - 1), number(test, "p"), TOLERANCE);
	assert_close(ba_hodges_lehmann(y, n), number(hl, "est"), TOLERANCE);
}

TEST(variance_components)
{
	ba_json_value v = member(vectors, "variance_components"), row;
	double y[16], s1_sq[16], d[16];
	size_t k[16], n = 0;

	EACH (row, member(v, "d")) {
		k[n] = numbers(d, 16, row);
		y[n] = ba_mean(d, k[n]);
		s1_sq[n] = ba_variance(d, k[n]);
		n++;
	}
	ba_components c = ba_components_of(y, s1_sq, k, n);

	assert_close(c.s1_sq, number(v, "S1_sq"), TOLERANCE);
	assert_close(c.s2_sq, number(v, "S2_sq"), TOLERANCE);
	assert_close(c.t2_sq, number(v, "T2_sq"), TOLERANCE);
}

TEST(splitmix64)
{
	ba_json_value s = member(vectors, "splitmix64_seed42"), text;
	uint64_t rng = 42;
	int i = 0;

	EACH (text, member(s, "out")) {
		uint64_t value = ba_splitmix64(&rng);
		char decimal[32];

		snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)value);
		assert_string_equal(decimal, text_of(text));
		assert_int_equal(value >> 63, (int)cell(member(s, "coin_bit63"), i++));
	}
}

static int read_vectors(void **state)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error err;

	if (ba_fs_read(&text, BA_SOURCE_DIR "/tests/data/statistics-vectors.json", 1 << 20, &err) <
		0) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	if (ba_json_parse(&document, text.data, text.len, NULL, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	vectors = ba_json_root(document);
	return 0;
}

static int free_vectors(void **state)
{
	ba_json_free(document);
	return 0;
}
TEST_GROUP(read_vectors, free_vectors);
