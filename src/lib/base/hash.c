#include "base/hash.h"

#include <errno.h>
#include <stdio.h>

#include "base/fs.h"
#include "sha256_compress.h"

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
			sha256_compress(s->h, p);
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
			sha256_compress(s->h, s->block);
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
