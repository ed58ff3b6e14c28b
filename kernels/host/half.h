/*
 * half.h -- FP16 and BF16 as bits, to and from float, rounding to nearest even.
 * C and C++: the references, the plugin and the emulator of tests/kernels use it.
 */
#ifndef KERNELS_HALF_H
#define KERNELS_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t half_float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float half_bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline float bf16_to_float(uint16_t bits)
{
	return half_bits_float((uint32_t)bits << 16);
}

static inline uint16_t bf16_from_float(float value)
{
	uint32_t bits = half_float_bits(value);

	if ((bits & 0x7fffffffu) > 0x7f800000u)
		return (uint16_t)(bits >> 16 | 0x40); /* NaN stays one */
	return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

static inline float fp16_to_float(uint16_t bits)
{
	uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
	uint32_t rest = bits & 0x7fffu;

	if (rest >= 0x7c00u) /* infinity, NaN */
		return half_bits_float(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
	if (rest >= 0x400u)
		return half_bits_float(sign | ((rest << 13) + (112u << 23)));
	/* subnormal: rest units of 2^-24, which float holds exactly */
	return half_bits_float(sign | half_float_bits((float)rest * 0x1p-24f));
}

static inline uint16_t fp16_from_float(float value)
{
	uint32_t bits = half_float_bits(value);
	uint32_t sign = bits >> 16 & 0x8000u;
	uint32_t rest = bits & 0x7fffffffu;

	if (rest > 0x7f800000u)
		return (uint16_t)(sign | 0x7e00u);
	if (rest >= 0x477ff000u) /* rounds to 2^16 or more */
		return (uint16_t)(sign | 0x7c00u);
	if (rest < 0x38800000u) { /* below 2^-14: the sum rounds to units of 2^-24 */
		uint32_t units = half_float_bits(half_bits_float(rest) + 0.5f);

		return (uint16_t)(sign | (units - half_float_bits(0.5f)));
	}
	return (uint16_t)(sign | (rest - (112u << 23) + 0xfffu + (rest >> 13 & 1)) >> 13);
}

#endif
