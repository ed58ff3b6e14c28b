/* write() to a pipe. If the reader is gone, it fails with EPIPE and raises no
 * SIGPIPE. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

ssize_t ba_pipe_write(int fd, const void *data, size_t size);
