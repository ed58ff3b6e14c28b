#include "base/number.h"

#include <endian.h>
#include <math.h>

#include "base/base.h"

enum { MAX_DECIMALS = 4, MAX_DECIMALS_OF_SMALL = 12, MAX_SIGNIFICANT = 6 };

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* position of the first digit: 0 for 1 .. 9.99, -1 for 0.1 .. 0.99 */
static int magnitude(double value)
{
	return (int)floor(log10(fabs(value)) + 1e-9); /* 0.1 less a rounding error is 0.1 */
}

const char *ba_plural(size_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

int ba_number_decimals(double value, double spread)
{
	bool known = isfinite(value) && value != 0;
	/* three digits of a value below 0.01, which else would read as 0.0000 */
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

enum { DIGITS = 12, ROOM = 40 };
__extension__ typedef unsigned __int128 wide;

enum { FIRST = -4 }; /* tens of the first one */
static const double tenfold[] = {
	1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, INFINITY};
/* 10^(11 - tens), shifted until the top bit is set */
static const struct {
	uint64_t power;
	int shift;
} factors[] = {
#define FACTOR(power, shift)                      \
	{                                         \
		UINT64_C(power) << (shift), shift \
	}
	FACTOR(1000000000000000, 14),
	FACTOR(100000000000000, 17),
	FACTOR(10000000000000, 20),
	FACTOR(1000000000000, 24),
	FACTOR(100000000000, 27),
	FACTOR(10000000000, 30),
	FACTOR(1000000000, 34),
	FACTOR(100000000, 37),
	FACTOR(10000000, 40),
	FACTOR(1000000, 44),
	FACTOR(100000, 47),
	FACTOR(10000, 50),
	FACTOR(1000, 54),
	FACTOR(100, 57),
	FACTOR(10, 60),
#undef FACTOR
};

/* Rounds 1e-4 <= a < 1e11 to 12 digits, as an integer; *position is 0 where the first one
 * is that of the units. A double is an integer times a power of two, and 128 bits hold its
 * product with the power of ten: no digit is lost. */
static uint64_t take_12(int *position, double a)
{
	uint64_t bits;
	memcpy(&bits, &a, sizeof(bits));
	int two = (int)(bits >> 52) - 1023; /* 2^two <= a < 2^(two + 1) */
	/* log10 of that, rounded down: right, or one too small */
	int tens = (two * 1233 >> 12) - FIRST;
	tens = tens < 0 ? 0 : tens;
	tens += a >= tenfold[tens + 1];
	/* both factors begin with their top bit, so that the integer ends in the upper
	 * half of the product */
	uint64_t mantissa = bits << 11 | UINT64_C(1) << 63;
	wide product = (wide)mantissa * factors[tens].power;
	uint64_t upper = (uint64_t)(product >> 64);
	int shift = factors[tens].shift - two - 1;
	uint64_t n = upper >> shift, rest = upper << (64 - shift);
	/* the top bit of what is left is the half, and is there more? */
	bool more = rest << 1 | (uint64_t)product;
	n += rest >> 63 & (more | n);
	*position = tens + FIRST + (n == UINT64_C(1000000000000));
	return n == UINT64_C(1000000000000) ? n / 10 : n;
}

/* The digits of 0 to 999 as bytes, the first one lowest, and then how many there are
 * without zeros at the end. */
static const uint32_t threes[] = {
#define ONE(a, b, c) a | b << 8 | c << 16 | (c ? 3U : b ? 2U : a ? 1U : 0U) << 24
#define TEN(a, b)                                                                                 \
	ONE(a, b, 0U), ONE(a, b, 1U), ONE(a, b, 2U), ONE(a, b, 3U), ONE(a, b, 4U), ONE(a, b, 5U), \
		ONE(a, b, 6U), ONE(a, b, 7U), ONE(a, b, 8U), ONE(a, b, 9U)
#define HUNDRED(a)                                                                          \
	TEN(a, 0U), TEN(a, 1U), TEN(a, 2U), TEN(a, 3U), TEN(a, 4U), TEN(a, 5U), TEN(a, 6U), \
		TEN(a, 7U), TEN(a, 8U), TEN(a, 9U)
	HUNDRED(0U),
	HUNDRED(1U),
	HUNDRED(2U),
	HUNDRED(3U),
	HUNDRED(4U),
	HUNDRED(5U),
	HUNDRED(6U),
	HUNDRED(7U),
	HUNDRED(8U),
	HUNDRED(9U),
#undef ONE
#undef TEN
#undef HUNDRED
};

/* Copies more than there is: what follows overwrites it. */
static void put_bytes(char *at, wide bytes)
{
	uint64_t low = htole64((uint64_t)bytes);
	uint64_t high = htole64((uint64_t)(bytes >> 64));
	memcpy(at, &low, sizeof(low));
	memcpy(at + sizeof(low), &high, sizeof(high));
}

/* "0.00012", "1.5", "1500": without zeros at the end of the fraction */
static void put_digits(ba_buf *out, bool negative, uint64_t digits, int position)
{
	const uint64_t zeros = UINT64_C(0x3030303030303030), mask = 0xffffff;
	uint32_t upper = (uint32_t)(digits / 1000000);
	uint32_t lower = (uint32_t)(digits % 1000000);
	uint32_t a = threes[upper / 1000], b = threes[upper % 1000];
	uint32_t c = threes[lower / 1000], d = threes[lower % 1000];
	int lead = position < 0 ? -position : 0; /* zeros before the digits */
	int whole = position + lead + 1;
	int count = (int)(d ? 9 + (d >> 24) : c ? 6 + (c >> 24) : b ? 3 + (b >> 24) : a >> 24);
	wide all = (wide)(c & mask) << 48 | (wide)(d & mask) << 72 | (b & mask) << 24 | (a & mask);
	all = all << 8 * lead | (wide)zeros << 64 | zeros;
	count += lead;
	ba_buf_reserve(out, ROOM);
	char *at = out->data + out->len;
	*at = '-';
	at += negative;
	put_bytes(at, all);
	at += whole;
	if (count > whole) {
		*at++ = '.';
		put_bytes(at, all >> 8 * whole);
		at += count - whole;
	}
	*at = '\0';
	out->len = (size_t)(at - out->data);
}

/* The usual ones: 0, 1, a count. Apart, since its array would cost the others a guard of
 * the stack. */
__attribute__((noinline)) static void put_small(ba_buf *out, uint32_t value)
{
	char text[10], *end = text + sizeof(text), *at = end;
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	ba_buf_put(out, at, (size_t)(end - at));
}

void ba_number_put_12(ba_buf *out, double value)
{
	double a = fabs(value);
	if (a < 1e6 && value == (double)(uint32_t)a && !signbit(value)) {
		put_small(out, (uint32_t)a);
	} else if (a >= 1e-4 && a < 1e11) {
		int position;
		uint64_t digits = take_12(&position, a);
		put_digits(out, value < 0, digits, position);
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
	ba_number_put(out, 100 * (ratio - 1), decimals, true);
	ba_buf_puts(out, " %");
}

static bool known(double ratio)
{
	return isfinite(ratio) && ratio > 0;
}

/* sign: of an interval without zero, which an end that rounds to zero has, too; or 0 */
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

void ba_percent_plain(ba_buf *out, double part)
{
	ba_buf_printf(out, "%.3g %%", 100 * part);
}

void ba_percent_range_put(ba_buf *out, double least, double most)
{
	BA_AUTO(ba_buf) ba_buf low = BA_BUF_INIT, high = BA_BUF_INIT;
	ba_percent_plain(&low, least);
	ba_percent_plain(&high, most);
	/* "8.8 to 8.83 %" is one value to whoever reads it */
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
