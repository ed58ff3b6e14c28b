#include "base/hash.h"

#include <errno.h>
#include <stdio.h>

#include "base/fs.h"

static const uint32_t k[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
	0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
	0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
	0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
	0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The eight words are separate variables, because an array would be moved in every
 * round. */
static void compress(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64];
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
	uint32_t e = h[4], f = h[5], g = h[6], last = h[7];
	for (int i = 0; i < 64; i++) {
		uint32_t big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		uint32_t t1 = last + big1 + ((e & f) ^ (~e & g)) + k[i] + w[i];
		uint32_t big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
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

void ba_sha256_init(ba_sha256 *s)
{
	*s = (ba_sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
				 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void ba_sha256_add(ba_sha256 *s, const void *data, size_t size)
{
	const unsigned char *p = data;
	s->bytes += size;
	while (size > 0) {
		if (s->fill == 0 && size >= 64) {
			compress(s->h, p);
			p += 64;
			size -= 64;
			continue;
		}
		size_t n = 64 - s->fill < size ? 64 - s->fill : size;
		memcpy(s->block + s->fill, p, n);
		s->fill += n;
		p += n;
		size -= n;
		if (s->fill == 64) {
			compress(s->h, s->block);
			s->fill = 0;
		}
	}
}

void ba_sha256_add_string(ba_sha256 *s, const char *text)
{
	ba_sha256_add(s, text, strlen(text) + 1);
}

void ba_sha256_hex(ba_sha256 *s, char out[65])
{
	static const char digits[] = "0123456789abcdef";
	uint64_t bits = s->bytes * 8;
	unsigned char length[8];
	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	ba_sha256_add(s, "\x80", 1);
	while (s->fill != 56)
		ba_sha256_add(s, "", 1);
	ba_sha256_add(s, length, 8);
	for (int i = 0; i < 64; i++)
		out[i] = digits[s->h[i / 8] >> (28 - 4 * (i % 8)) & 15];
	out[64] = '\0';
}

void ba_sha256_of(char out[65], const void *data, size_t size)
{
	ba_sha256 s;
	ba_sha256_init(&s);
	ba_sha256_add(&s, data, size);
	ba_sha256_hex(&s, out);
}

int ba_sha256_add_fd(ba_sha256 *s, int fd)
{
	char chunk[65536];
	ssize_t n;
	while ((n = ba_fs_read_some(fd, chunk, sizeof(chunk))) > 0)
		ba_sha256_add(s, chunk, (size_t)n);
	return n < 0 ? -1 : 0;
}

int ba_sha256_file(char out[65], const char *path, ba_error *err)
{
	BA_AUTO_FD int fd = -1;
	ba_sha256 s;
	if (ba_fs_open(&fd, path, err))
		return ba_error_as(err, BA_EIO);
	ba_sha256_init(&s);
	if (ba_sha256_add_fd(&s, fd))
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", path);
	ba_sha256_hex(&s, out);
	return 0;
}

uint64_t ba_fnv1a(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}
