/* The compression function of SHA-256 (FIPS 180-4), also for src/lib/base/hash.c. Both add bytes to the
 * eight words of the state 64 at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint32_t sha256_k[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
	0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
	0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
	0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
	0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t sha256_rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Eight variables, because an array would be moved in every round. */
static inline void sha256_compress(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64];
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (sha256_rotate(w[i - 15], 7) ^ sha256_rotate(w[i - 15], 18) ^
			       w[i - 15] >> 3) +
		       (sha256_rotate(w[i - 2], 17) ^ sha256_rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
	uint32_t e = h[4], f = h[5], g = h[6], last = h[7];
	for (int i = 0; i < 64; i++) {
		uint32_t big1 = sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25);
		uint32_t t1 = last + big1 + ((e & f) ^ (~e & g)) + sha256_k[i] + w[i];
		uint32_t big0 = sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22);
		uint32_t t2 = big0 + ((a & b) ^ (a & c) ^ (b & c));
		last = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	const uint32_t sum[8] = {a, b, c, d, e, f, g, last};
	for (int i = 0; i < 8; i++)
		h[i] += sum[i];
}

/* Adds data to a state whose `block` has *fill bytes that were not added yet. */
static inline void sha256_add(uint32_t h[8], unsigned char block[64], size_t *fill,
	const void *data, size_t size, void (*compress)(uint32_t h[8], const unsigned char *p))
{
	for (const unsigned char *p = data; size;) {
		size_t n = 64 - *fill < size ? 64 - *fill : size;
		if (n < 64)
			memcpy(block + *fill, p, n);
		*fill = (*fill + n) % 64;
		if (*fill == 0)
			compress(h, n < 64 ? block : p);
		p += n;
		size -= n;
	}
}
