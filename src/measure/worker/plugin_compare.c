/* Compares results with the expected ones, within a tolerance. */

#include "worker/plugin.h"

size_t ba_plugin_type_bytes(uint32_t type)
{
	static const size_t bytes[] = {[BA_SUITE_F16] = 2,
		[BA_SUITE_BF16] = 2,
		[BA_SUITE_F32] = 4,
		[BA_SUITE_F64] = 8,
		[BA_SUITE_I32] = 4,
		[BA_SUITE_U32] = 4};
	return type < BA_COUNT(bytes) ? bytes[type] : 0;
}

/* IEEE 754 binary16: 5 bits of exponent, 10 of fraction */
static double of_f16(uint16_t bits)
{
	int exponent = bits >> 10 & 31;
	double fraction = bits & 1023;
	double value = exponent == 31  ? (fraction ? NAN : INFINITY)
		       : exponent == 0 ? ldexp(fraction, -24)
				       : ldexp(1024 + fraction, exponent - 25);
	return bits & 0x8000 ? -value : value;
}

static double element(uint32_t type, const unsigned char *data, size_t index)
{
	uint16_t half;
	uint32_t word;
	int32_t number;
	float single;
	double value = 0;
	switch (type) {
	case BA_SUITE_F16:
		memcpy(&half, data + 2 * index, 2);
		return of_f16(half);
	case BA_SUITE_BF16:
		memcpy(&half, data + 2 * index, 2);
		word = (uint32_t)half << 16;
		memcpy(&single, &word, 4);
		return single;
	case BA_SUITE_F32:
		memcpy(&single, data + 4 * index, 4);
		return single;
	case BA_SUITE_I32:
		memcpy(&number, data + 4 * index, 4);
		return number;
	case BA_SUITE_U32:
		memcpy(&word, data + 4 * index, 4);
		return word;
	default:
		memcpy(&value, data + 8 * index, 8);
		return value;
	}
}

int ba_plugin_compare(char **wrong, const ba_suite_output *o, const void *data)
{
	size_t bad = 0, first = 0;
	double off_sq = 0, all_sq = 0, first_value = 0;
	for (size_t i = 0; i < o->count; i++) {
		double value = element(o->type, data, i), expected = o->expected[i];
		double off = fabs(value - expected);
		off_sq += off * off;
		all_sq += expected * expected;
		/* written so that NaN is wrong, too */
		if (off <= o->absolute + o->relative * fabs(expected))
			continue;
		if (bad++ == 0) {
			first = i;
			first_value = value;
		}
	}
	BA_AUTO_FREE char *name = ba_text_safe(o->name ? o->name : "the results");
	double l2 = all_sq > 0 ? sqrt(off_sq / all_sq) : off_sq > 0 ? INFINITY : 0;
	if (bad) {
		*wrong = ba_xprintf(
			"%zu of %zu elements of %s are off by more than allowed: element %zu is %.9g and should be %.9g",
			bad, o->count, name, first, first_value, o->expected[first]);
		return 1;
	}
	if (o->l2 > 0 && !(l2 <= o->l2)) {
		*wrong = ba_xprintf(
			"%s is off by %.3g in the mean (relative, quadratic), %.3g is allowed",
			name, l2, o->l2);
		return 1;
	}
	return 0;
}
