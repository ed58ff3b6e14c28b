#include "json/digest.h"

#define BEFORE ",\"" BA_JSON_DIGEST_KEY "\":\""
#define BEHIND "\"}"
/* the member with its comma, and the end of the root after it */
enum { MEMBER = sizeof(BEFORE) - 1 + 64 + sizeof(BEHIND) - 1, HELD_MOST = 1 << 16 };

void ba_json_digest_init(ba_json_digest *d)
{
	*d = (ba_json_digest){.held = BA_BUF_INIT};
	ba_sha256_init(&d->sha);
}

/* Hashes everything except the bytes that may be the digest's own member. */
static void pass_on(ba_json_digest *d)
{
	size_t n = d->held.len - MEMBER;
	ba_sha256_add(&d->sha, d->held.data, n);
	memmove(d->held.data, d->held.data + n, MEMBER);
	ba_buf_truncate(&d->held, MEMBER);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The length of the next run without white space to drop: up to the end of the text, or
 * to a space outside of strings. */
static size_t run_of(ba_json_digest *d, const char *text, size_t size)
{
	size_t n = 0;
	for (; n < size && (d->in_string || !is_space(text[n])); n++) {
		if (d->escaped)
			d->escaped = false;
		else if (text[n] == '"')
			d->in_string = !d->in_string;
		else if (text[n] == '\\' && d->in_string)
			d->escaped = true;
	}
	return n;
}

void ba_json_digest_add(ba_json_digest *d, const char *text, size_t size)
{
	/* A byte order mark is not part of the document. */
	if (!d->begun && size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		size -= 3;
	}
	d->begun = d->begun || size;
	while (size) {
		size_t piece = size < HELD_MOST ? size : HELD_MOST;
		size_t n = run_of(d, text, piece);
		ba_buf_put(&d->held, text, n);
		while (n < size && !d->in_string && is_space(text[n]))
			n++;
		text += n;
		size -= n;
		if (d->held.len > HELD_MOST + MEMBER)
			pass_on(d);
	}
}

static void end(char found[65], ba_json_digest *d, size_t held)
{
	ba_sha256_add(&d->sha, d->held.data, held);
	ba_sha256_add(&d->sha, "}", 1);
	ba_sha256_hex(&d->sha, found);
	ba_buf_dispose(&d->held);
}

ba_digest_state ba_json_digest_end(char found[65], char said[65], ba_json_digest *d)
{
	const size_t before = sizeof(BEFORE) - 1;
	size_t rest = d->held.len >= MEMBER ? d->held.len - MEMBER : d->held.len;
	const char *at = d->held.data + rest;
	bool there = d->held.len >= MEMBER && memcmp(at, BEFORE, before) == 0 &&
		     strspn(at + before, "0123456789abcdef") == 64 &&
		     memcmp(at + before + 64, BEHIND, sizeof(BEHIND) - 1) == 0;
	said[0] = '\0';
	if (there) {
		memcpy(said, at + before, 64);
		said[64] = '\0';
	} else {
		/* Everything except the closing bracket, which end() adds. */
		rest = d->held.len ? d->held.len - 1 : 0;
	}
	end(found, d, rest);
	return !there			  ? BA_DIGEST_ABSENT
	       : strcmp(said, found) == 0 ? BA_DIGEST_AGREES
					  : BA_DIGEST_DIFFERS;
}

void ba_json_digest_close(char found[65], ba_json_digest *d)
{
	end(found, d, d->held.len);
}

ba_digest_state ba_json_digest_of(char found[65], char said[65], const char *text, size_t size)
{
	ba_json_digest d;
	ba_json_digest_init(&d);
	ba_json_digest_add(&d, text, size);
	return ba_json_digest_end(found, said, &d);
}

int ba_json_digest_fd(ba_digest_state *out, char found[65], char said[65], int fd, const char *name,
	ba_error *err)
{
	ba_json_digest d;
	BA_AUTO_FREE char *chunk = ba_xmalloc(HELD_MOST);
	off_t at = 0;
	ssize_t n;
	ba_json_digest_init(&d);
	while ((n = pread(fd, chunk, HELD_MOST, at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		ba_json_digest_add(&d, chunk, (size_t)n);
		at += n;
	}
	int rc = n < 0 ? ba_fail_errno(err, BA_EIO, "cannot read '%s'", name) : 0;
	*out = ba_json_digest_end(found, said, &d);
	return rc;
}
