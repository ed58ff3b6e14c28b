/* A write to a pipe whose reader is gone: EPIPE, and no SIGPIPE for the process. */
#ifndef PROC_PIPE_H
#define PROC_PIPE_H

#include <stddef.h>
#include <sys/types.h>

ssize_t ba_pipe_write(int fd, const void *data, size_t size);

#endif
