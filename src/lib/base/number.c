#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/each.h"

enum { MAX_DECIMALS = 4, MAX_DECIMALS_OF_SMALL = 12, MAX_SIGNIFICANT = 6 };

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* position of the first digit: 0 for 1 .. 9.99, -1 for 0.1 .. 0.99 */
static int magnitude(double value)
{
	/* so that 0.1 less a rounding error counts as 0.1 */
	return (int)floor(log10(fabs(value)) + 1e-9);
}

const char *ba_plural(size_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

int ba_number_decimals(double value, double spread)
{
	bool known = isfinite(value) && value != 0;
	/* three digits of a value below 0.01, which otherwise would be 0.0000 */
	bool small = known && magnitude(value) < -2;
	int room = small ? MAX_DECIMALS_OF_SMALL : MAX_DECIMALS;
	if (!isfinite(spread) || spread <= 0)
		return known ? clamp(2 - magnitude(value), 0, room) : 0;
	int most = known ? MAX_SIGNIFICANT - 1 - magnitude(value) : MAX_DECIMALS;
	return clamp(clamp(1 - magnitude(spread), 0, room), 0, clamp(most, 0, room));
}

void ba_number_put(ba_buf *out, double value, int decimals, bool sign)
{
	if (!isfinite(value)) {
		ba_buf_putc(out, '-');
		return;
	}
	/* "-0.0" says nothing more than "0.0" */
	if (fabs(value) < 0.5 * pow(10, -decimals))
		ba_buf_printf(out, "%.*f", decimals, 0.0);
	else
		ba_buf_printf(out, sign ? "%+.*f" : "%.*f", decimals, value);
}

/* ---- the value as "%.12g" ---- */

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 12, FIRST = -4 }; /* FIRST: the power of ten of tenfold[0] */
static const double tenfold[] = {
	1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, INFINITY};
/* 10^(11 - tens): factor for 12 digits of a number that begins at 10^tens */
static const uint64_t powers[] = {1000000000000000, 100000000000000, 10000000000000, 1000000000000,
	100000000000, 10000000000, 1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000,
	100, 10};

/* Rounds 1e-4 <= a < 1e11 to 12 digits, as an integer; *decimals says how many of them
 * follow the point. A double is an integer times a power of two, and 128 bits hold its
 * product with the power of ten: no digit is lost. */
static uint64_t round_12(int *decimals, double a)
{
	uint64_t bits;
	memcpy(&bits, &a, sizeof(bits));
	int two = (int)(bits >> 52) - 1023; /* 2^two <= a < 2^(two + 1) */
	/* log10 of 2^two, rounded down: the right index, or one less */
	int tens = (two * 1233 >> 12) - FIRST;
	tens = tens < 0 ? 0 : tens;
	tens += a >= tenfold[tens + 1];
	/* both factors begin with their top bit, so the integer part ends in the upper half
	 * of the product */
	int unused = __builtin_clzll(powers[tens]);
	uint64_t mantissa = bits << 11 | UINT64_C(1) << 63;
	wide product = (wide)mantissa * (powers[tens] << unused);
	uint64_t upper = (uint64_t)(product >> 64);
	int shift = unused - two - 1;
	uint64_t n = upper >> shift, rest = upper << (64 - shift);
	/* round half to even: the top bit of the rest is the half */
	bool more = rest << 1 | (uint64_t)product;
	n += rest >> 63 & (more | n);
	*decimals = DIGITS - 1 - (tens + FIRST);
	return n;
}

/* Writes n / 10^decimals, without zeros at the end of the fraction. */
static void put_digits(ba_buf *out, bool negative, uint64_t n, int decimals)
{
	char text[24], *end = text + sizeof(text), *at = end;
	for (; decimals && n % 10 == 0; decimals--)
		n /= 10;
	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
		if (--decimals == 0)
			*--at = '.';
	} while (n || decimals >= 0);
	if (negative)
		*--at = '-';
	ba_buf_put(out, at, (size_t)(end - at));
}

void ba_number_put_12(ba_buf *out, double value)
{
	double a = fabs(value);
	if (a < 1e6 && value == (double)(uint32_t)a && !signbit(value)) {
		put_digits(out, false, (uint32_t)a, 0);
	} else if (a >= 1e-4 && a < 1e11) {
		int decimals;
		uint64_t n = round_12(&decimals, a);
		put_digits(out, value < 0, n, decimals);
	} else {
		ba_buf_printf(out, "%.12g", value);
	}
}

ba_time_unit ba_time_unit_of(double ns)
{
	static const ba_time_unit units[] = {
		{"ns", "ns", 1}, {"µs", "us", 1e3}, {"ms", "ms", 1e6}, {"s", "s", 1e9}};
	size_t i = BA_COUNT(units) - 1;
	while (i && !(fabs(ns) >= units[i].ns))
		i--;
	return units[i];
}

void ba_percent_put(ba_buf *out, double ratio, int decimals)
{
	if (isinf(ratio)) {
		ba_buf_puts(out, "from 0");
		return;
	}
	ba_number_put(out, 100 * (ratio - 1), decimals, true);
	ba_buf_puts(out, " %");
}

static bool known(double ratio)
{
	return isfinite(ratio) && ratio > 0;
}

/* sign: for the ends of an interval without zero, even if they round to zero; or 0 */
static void put_end(ba_buf *out, double ratio, int decimals, char sign)
{
	if (!known(ratio)) {
		ba_buf_putc(out, '?');
		return;
	}
	if (sign && fabs(100 * (ratio - 1)) < 0.5 * pow(10, -decimals))
		ba_buf_putc(out, sign);
	ba_number_put(out, 100 * (ratio - 1), decimals, true);
}

void ba_percent_interval_put(ba_buf *out, double low, double high, int decimals)
{
	bool both = known(low) && known(high);
	char sign = both && low > 1 ? '+' : both && high < 1 ? '-' : '\0';
	put_end(out, low, decimals, sign);
	ba_buf_puts(out, " .. ");
	put_end(out, high, decimals, sign);
	ba_buf_puts(out, " %");
}

int ba_percent_decimals(double low, double high)
{
	if (!known(low) || !known(high))
		return 1;
	double width = 100 * (high - low);
	return width < 0.05 ? 3 : width < 0.5 ? 2 : width < 20 ? 1 : 0;
}

static ba_word word_of(ba_buf *text)
{
	ba_word word;
	snprintf(word.text, sizeof(word.text), "%s", text->data);
	ba_buf_dispose(text);
	return word;
}

ba_word ba_percent_of(double ratio, double low, double high)
{
	ba_buf text = BA_BUF_INIT;
	ba_percent_put(&text, ratio, ba_percent_decimals(low, high));
	return word_of(&text);
}

ba_word ba_interval_of(double low, double high)
{
	ba_buf text = BA_BUF_INIT;
	ba_percent_interval_put(&text, low, high, ba_percent_decimals(low, high));
	return word_of(&text);
}

void ba_percent_plain(ba_buf *out, double part)
{
	ba_buf_printf(out, "%.3g %%", 100 * part);
}

void ba_percent_range_put(ba_buf *out, double least, double most)
{
	BA_AUTO(ba_buf) ba_buf low = BA_BUF_INIT, high = BA_BUF_INIT;
	ba_percent_plain(&low, least);
	ba_percent_plain(&high, most);
	/* to a reader, "8.8 to 8.83 %" is one value */
	if (strcmp(low.data, high.data) != 0) {
		BA_AUTO(ba_buf) ba_buf near = BA_BUF_INIT;
		ba_buf_printf(&near, "%.2g %%", 100 * least);
		BA_AUTO(ba_buf) ba_buf far = BA_BUF_INIT;
		ba_buf_printf(&far, "%.2g %%", 100 * most);
		if (strcmp(near.data, far.data) == 0 && 100 * most < 99) {
			ba_buf_puts(out, near.data);
			return;
		}
	}
	if (strcmp(low.data, high.data) != 0)
		ba_buf_printf(out, "%.*s to ", (int)(low.len - strlen(" %")), low.data);
	ba_buf_puts(out, high.data);
}
