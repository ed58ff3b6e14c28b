#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/count.h"

enum { MAX_DECIMALS = 4, MAX_SIGNIFICANT = 6 };

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* position of the first digit: 0 for 1 .. 9.99, -1 for 0.1 .. 0.99 */
static int magnitude(double value)
{
	return (int)floor(
		log10(fabs(value)) + 1e-9); /* 0.1 less a rounding error is 0.1 */
}

const char *ba_plural(size_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

int ba_number_decimals(double value, double spread)
{
	bool known = isfinite(value) && value != 0;
	if (!isfinite(spread) || spread <= 0)
		return known ? clamp(2 - magnitude(value), 0, MAX_DECIMALS) : 0;
	int decimals = clamp(1 - magnitude(spread), 0, MAX_DECIMALS);
	int most = known ? MAX_SIGNIFICANT - 1 - magnitude(value) : MAX_DECIMALS;
	return clamp(decimals, 0, clamp(most, 0, MAX_DECIMALS));
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

/* Rounds 1e-4 <= a < 1e11 to 12 digits, as an integer; *position is 0 where the first one
 * is that of the units. A double is an integer times a power of two, and 128 bits hold its
 * product with the power of ten: no digit is lost. */
static uint64_t take_12(int *position, double a)
{
	static const double least[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4,
		1e5, 1e6, 1e7, 1e8, 1e9, 1e10, INFINITY};
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000,
		10000000, 100000000, 1000000000, 10000000000, 100000000000,
		1000000000000, 10000000000000, 100000000000000, 1000000000000000};
	uint64_t bits;
	memcpy(&bits, &a, sizeof(bits));
	int two = (int)(bits >> 52) - 1023; /* 2^two <= a < 2^(two + 1) */
	/* log10 of that, rounded down: right, or one too small */
	int tens = two * 1233 >> 12;
	tens = tens < -4 ? -4 : tens;
	tens += a >= least[tens + 5];
	uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)mantissa * powers[DIGITS - 1 - tens];
	unsigned shift = (unsigned)(52 - two);
	uint64_t n = (uint64_t)(product >> shift);
	/* one bit of what is left is the half, and is there more? */
	bool half = product >> (shift - 1) & 1;
	bool more = product << (128 - (shift - 1)) != 0;
	n += half && (more || n % 2);
	*position = tens + (n == UINT64_C(1000000000000));
	return n == UINT64_C(1000000000000) ? n / 10 : n;
}

static void split_6(char text[6], uint32_t digits)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
	memcpy(text, pairs + 2 * (digits / 10000), 2);
	memcpy(text + 2, pairs + 2 * (digits / 100 % 100), 2);
	memcpy(text + 4, pairs + 2 * (digits % 100), 2);
}

/* "0.00012", "1.5", "1500": without zeros at the end of the fraction. Copies more than
 * there is: what follows overwrites it. */
static void put_digits(ba_buf *out, bool negative, uint64_t digits, int position)
{
	char all[2 * DIGITS] = "", *at;
	size_t last = DIGITS - 1, whole = position < 0 ? 0 : (size_t)position + 1;
	split_6(all, (uint32_t)(digits / 1000000));
	split_6(all + 6, (uint32_t)(digits % 1000000));
	while (last >= whole && all[last] == '0')
		last--;
	ba_buf_reserve(out, ROOM);
	at = out->data + out->len;
	if (negative)
		*at++ = '-';
	memcpy(at, whole ? all : "0.000       ", DIGITS);
	at += whole ? (int)whole : 1 - position;
	if (whole && last >= whole)
		*at++ = '.';
	memcpy(at, all + whole, DIGITS);
	at += last + 1 - whole;
	*at = '\0';
	out->len = (size_t)(at - out->data);
}

/* the usual ones: 0, 1, a count */
static void put_small(ba_buf *out, uint32_t value)
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
	BA_AUTO(ba_buf) ba_buf low = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf high = BA_BUF_INIT;
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
