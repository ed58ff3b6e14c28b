/*
 * A library for LD_AUDIT. It reports which files the dynamic linker maps into a program
 * and into the processes that the program starts. So bench-against learns whether a
 * program of a `command` suite runs code of another tree than its own. Like the other
 * observer, it is never in a process that measures.
 *
 * Each new file is appended to the file that BENCH_AGAINST_LOADED names, and a NUL
 * after it: "x<pid> <path>" of the program, "o<pid> <path>" of a shared object, links
 * resolved. The linker gives this library a separate libc; a file that cannot be
 * reported is skipped.
 */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* each library is reported once, however often a program opens and closes it */
#define TOLD_MOST 4096u
static uint64_t told[TOLD_MOST];

static uint64_t hash_of(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h ? h : 1;
}

/* Is it new in the table? False if the table is full. */
static int is_new(const char *path)
{
	uint64_t h = hash_of(path);
	for (unsigned k = 0; k < TOLD_MOST; k++) {
		uint64_t *at = &told[(h + k) % TOLD_MOST];
		if (*at == h)
			return 0;
		if (*at == 0) {
			*at = h;
			return 1;
		}
	}
	return 0;
}

static void tell(char kind, const char *path)
{
	char real[PATH_MAX], line[PATH_MAX + 32];
	const char *to = getenv("BENCH_AGAINST_LOADED");
	if (!to || !*to || !realpath(path, real) || !is_new(real))
		return;
	int n = snprintf(line, sizeof(line), "%c%ld %s", kind, (long)getpid(), real);
	int fd = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	/* one write, so that lines of several processes do not mix */
	ssize_t written = write(fd, line, (size_t)n + 1);
	(void)written;
	close(fd);
}

EXPORT unsigned la_version(unsigned version)
{
	tell('x', "/proc/self/exe");
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

EXPORT unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
	/* the main program has no name, and the vDSO is not a file */
	if (map->l_name && strchr(map->l_name, '/'))
		tell('o', map->l_name);
	return 0; /* calls are not traced */
}
