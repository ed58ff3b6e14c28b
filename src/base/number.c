#include "base/number.h"

#include <math.h>
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
	if (strcmp(low.data, high.data) != 0)
		ba_buf_printf(out, "%.*s to ", (int)(low.len - strlen(" %")), low.data);
	ba_buf_puts(out, high.data);
}
