/* The state of a search, which bisect resumes: bytes that are anything, of a history of six
 * commits. What is read is used as a search uses it: a posterior and the next choices. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"
#include "bisect/internal.h"
#include "json/digest.h"

enum { COMMITS = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void begin(ba_bisect *b, const char *path)
{
	b->request = (ba_bisect_request){.version = "v", .resume = path};
	b->most = BA_BISECT_COMMITS_MOST;
	b->commit_count = COMMITS;
	b->commits = ba_xcalloc(COMMITS, sizeof(*b->commits));
	for (int i = 0; i < COMMITS; i++)
		b->commits[i].id = ba_xprintf("%040d", i);
	for (size_t p = 0; p < BA_BISECT_PHASES; p++)
		b->phases[p].measured = ba_xcalloc(COMMITS, sizeof(size_t));
}

static void check_chosen(const size_t *commits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (commits[i] == 0 || commits[i] + 1 >= COMMITS)
			abort();
}

static void use(ba_bisect *b, ba_bisect_phase_name phase)
{
	size_t chosen[BA_BISECT_COMMITS_MOST], ahead[COMMITS], invocations = 2;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (ba_bisect_look(b, phase, NULL))
		return;
	ba_bisect_put_posterior(&text, b, &b->phases[phase].steps);
	size_t count = ba_bisect_choose(chosen, &invocations, b, phase);
	check_chosen(chosen, count);
	const ba_step_choice step = {chosen, count, invocations};
	check_chosen(ahead, ba_bisect_choose_ahead(ahead, COMMITS, b, phase, &step));
}

/* A state without its digest is refused before it is read, so it gets the right one. */
static void put_with_digest(int fd, const char *text, size_t size)
{
	char digest[65];
	ba_json_digest d;
	size_t body = size;
	while (body && text[body - 1] != '}')
		body--;
	body -= body > 0;
	ba_json_digest_init(&d);
	ba_json_digest_add(&d, text, body);
	ba_json_digest_close(digest, &d);
	if (write(fd, text, body) != (ssize_t)body ||
		dprintf(fd, ",\"" BA_JSON_DIGEST_KEY "\":\"%s\"}", digest) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	bool found = false;
	ba_error err = {0};
	BA_AUTO_FD int fd = memfd_create("state", MFD_CLOEXEC);
	BA_AUTO(ba_bisect) ba_bisect b = {0};
	BA_AUTO_FREE char *good = NULL;
	BA_AUTO_FREE char *bad = NULL;
	BA_AUTO(ba_strv) ba_strv options = {0};
	if (fd < 0 || fchmod(fd, 0600))
		abort();
	put_with_digest(fd, (const char *)data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	begin(&b, path);
	if (ba_bisect_load_request(&good, &bad, &options, path, &err) && !*err.text)
		abort();
	err = (ba_error){0};
	if (ba_bisect_load(&found, &b, &err)) {
		if (!*err.text)
			abort();
		return 0;
	}
	for (size_t p = 0; found && p < BA_BISECT_PHASES; p++)
		use(&b, (ba_bisect_phase_name)p);
	return 0;
}
