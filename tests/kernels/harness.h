/* harness.h -- what the tests of kernels share: checks, buffers, inputs */
#ifndef KERNELS_HARNESS_H
#define KERNELS_HARNESS_H

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "device/port.cuh"
#include "inputs.h"

static int harness_failures;
static int harness_checks;

__attribute__((format(printf, 2, 3))) static inline void check(bool good, const char *format, ...)
{
	va_list args;

	harness_checks++;
	if (good)
		return;
	harness_failures++;
	printf("FAILED ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static inline int harness_end(const char *what)
{
	printf("%s: %d checks, %d of them failed\n", what, harness_checks, harness_failures);
	return harness_failures != 0 || harness_checks == 0;
}

/* memory at a multiple of 16, NaN at first; what is written beyond it is found at the
 * end */
template <typename T> struct array {
	enum { GUARD = 64 };
	T *data;
	size_t count;

	explicit array(size_t n) : count(n)
	{
		base = (char *)malloc(n * sizeof(T) + 2 * GUARD);
		memset(base, 0xff, n * sizeof(T) + 2 * GUARD);
		data = (T *)(base + GUARD);
	}
	array(const array &) = delete;
	array &operator=(const array &) = delete;
	~array()
	{
		bool whole = true;

		for (size_t i = 0; i < GUARD; i++)
			whole &= base[i] == -1 && base[GUARD + count * sizeof(T) + i] == -1;
		check(whole, "something was written beyond an array of %zu", count);
		free(base);
	}
	T &operator[](size_t i)
	{
		return data[i];
	}
	const T &operator[](size_t i) const
	{
		return data[i];
	}

      private:
	char *base;
};

static inline float number(float x)
{
	return x;
}
static inline float number(fp16 x)
{
	return fp16_to_float(x.bits);
}
static inline float number(bf16 x)
{
	return bf16_to_float(x.bits);
}
static inline void assign(float &to, float x)
{
	to = x;
}
static inline void assign(fp16 &to, float x)
{
	to.bits = fp16_from_float(x);
}
static inline void assign(bf16 &to, float x)
{
	to.bits = bf16_from_float(x);
}

template <typename T> static inline void random_numbers(array<T> &a, uint64_t seed)
{
	for (size_t i = 0; i < a.count; i++)
		assign(a[i], inputs_normal(seed, i));
}

#endif
