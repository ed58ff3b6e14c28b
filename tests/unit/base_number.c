/* numbers for people */
#include "test.h"

#include "base/number.h"
#include "base/rng.h"

TEST(a_number_below_its_range_says_so)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"-1", "--n: -1 is out of range (0 to 9)"},
		{"10", "--n: 10 is out of range (0 to 9)"},
		{"99999999999999999999", "--n: 99999999999999999999 is out of range (0 to 9)"},
		{"-x", "--n: '-x' is not a whole number"},
		{"--1", "--n: '--1' is not a whole number"},
		{"1.5", "--n: '1.5' is not a whole number"},
		{"", "--n: '' is not a whole number"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t value;
		ba_error err;
		assert_int_equal(ba_parse_u64(&value, rows[i].text, 0, 9, "--n", &err), BA_EINVAL);
		assert_string_equal(err.text, rows[i].sentence);
	}
}

TEST(the_spread_decides_the_digits)
{
	static const struct {
		double value, spread;
		int decimals;
	} rows[] = {
		{2.431, 0.012, 3},
		{2.431, 0.12, 2},
		{2.431, 1.2, 1},
		{243.1, 12, 0},
		{2.431, 0.000012, 4},
		{2431.7, 0.0012, 2},
		{1234567, 0.01, 0},
		{2.431, 0, 2},
		{0.02431, NAN, 4},
		{0.0000123, NAN, 7},
		{0.0000123, 0.00000045, 8},
		{0, 0, 0},
		{2431, INFINITY, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
			ba_number_decimals(rows[i].value, rows[i].spread), rows[i].decimals);
}

TEST(what_rounds_to_zero_has_no_sign)
{
	static const struct {
		double value;
		int decimals;
		bool sign;
		const char *text;
	} rows[] = {
		{-0.004, 2, true, "0.00"},
		{-0.006, 2, true, "-0.01"},
		{0.5, 1, true, "+0.5"},
		{0.5, 1, false, "0.5"},
		{-3, 0, false, "-3"},
		{NAN, 1, true, "-"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_number_put(&out, rows[i].value, rows[i].decimals, rows[i].sign);
		assert_string_equal(out.data, rows[i].text);
	}
}

TEST(intervals_show_what_they_know)
{
	static const struct {
		double low, high;
		const char *text;
	} rows[] = {
		{1.036, 1.047, "+3.6 .. +4.7 %"},
		{0.997, 1.004, "-0.3 .. +0.4 %"},
		{0.9996, 1.0011, "-0.04 .. +0.11 %"},
		{0.99998, 1.00007, "-0.002 .. +0.007 %"},
		{0.5, 2, "-50 .. +100 %"},
		{0, INFINITY, "? .. ? %"},
		{1.01, NAN, "+1.0 .. ? %"},
		/* without zero, whatever is rounded */
		{1.0003, 1.008, "+0.0 .. +0.8 %"},
		{0.992, 0.9997, "-0.8 .. -0.0 %"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_percent_interval_put(&out, rows[i].low, rows[i].high,
			ba_percent_decimals(rows[i].low, rows[i].high));
		assert_string_equal(out.data, rows[i].text);
	}
}

TEST(thresholds_read_as_they_were_meant)
{
	static const struct {
		double part;
		const char *text;
	} rows[] = {{0.02, "2 %"}, {0.015, "1.5 %"}, {0.0005, "0.05 %"}, {0.95, "95 %"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_percent_plain(&out, rows[i].part);
		assert_string_equal(out.data, rows[i].text);
	}
}

TEST(a_range_whose_ends_read_alike_is_one_figure)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_percent_range_put(&out, 0.13412, 0.13416);
	ba_buf_putc(&out, ' ');
	ba_percent_range_put(&out, 0.015, 0.02);
	ba_buf_putc(&out, ' ');
	ba_percent_range_put(&out, 0.08796, 0.0883);
	ba_buf_putc(&out, ' ');
	ba_percent_range_put(&out, 0.0883, 0.0941);
	ba_buf_putc(&out, ' ');
	ba_percent_range_put(&out, 1.501, 1.513);
	assert_string_equal(out.data, "13.4 % 1.5 to 2 % 8.8 % 8.83 to 9.41 % 150 to 151 %");
}

static void check_12(double value)
{
	BA_AUTO(ba_buf) ba_buf mine = BA_BUF_INIT;
	char theirs[64];
	snprintf(theirs, sizeof(theirs), "%.12g", value);
	ba_number_put_12(&mine, value);
	assert_string_equal(mine.data, theirs);
}

TEST(twelve_digits_are_those_of_printf)
{
	static const double special[] = {0, -0.0, 1, -1, 10, 0.1, 1e-4, 9.9999999999949e-5,
		0.000123456789012345, 99999999999.4, 99999999999.96, 1e11, 123456789012,
		9.99999999999949, 9.99999999999951, 999999.9999995, 1e300, 5e-324, 0.5, 1.5, 2.5,
		1000, 1024.25, 0.3, 100000.000005, INFINITY, -INFINITY};
	uint64_t seed = 5;
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		check_12(special[i]);
		check_12(-special[i]);
		check_12(nextafter(special[i], 0));
		check_12(nextafter(special[i], INFINITY));
	}
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = ba_splitmix64(&seed);
		double unit = (double)(bits >> 11) / 9007199254740992.0;
		check_12(pow(10, 17 * unit - 5) * (bits & 1 ? 1 : -1));
		/* halves of the twelfth digit, as near as a double comes */
		check_12(((double)(bits % UINT64_C(1000000000000)) + 0.5) /
			 pow(10, (double)(bits % 14)));
		check_12((double)(bits % 100000) / 1000);
	}
}
