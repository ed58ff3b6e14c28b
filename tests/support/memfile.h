/* A file that no disk has, under a path: for readers that open files. */
#ifndef TESTS_SUPPORT_MEMFILE_H
#define TESTS_SUPPORT_MEMFILE_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "test.h"

typedef struct memfile {
	int fd;
	char path[32];
} memfile;

static inline memfile memfile_of(const void *text, size_t size)
{
	memfile m = {.fd = memfd_create("test", MFD_CLOEXEC)};
	snprintf(m.path, sizeof(m.path), "/proc/self/fd/%d", m.fd);
	assert_true(m.fd >= 0);
	assert_int_equal(pwrite(m.fd, text, size, 0), (ssize_t)size);
	return m;
}

static inline void memfile_dispose(memfile *m)
{
	close(m->fd);
}
BA_DEFINE_AUTO(memfile, memfile_dispose)

#endif
