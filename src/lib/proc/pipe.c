#include "proc/handle.h"

/* Blocks the signal for this thread, writes, and removes the signal that the write
 * caused. Ignoring SIGPIPE for the process would be the program's decision, and
 * MSG_NOSIGNAL works for sockets only. */
ssize_t ba_pipe_write(int fd, const void *data, size_t size)
{
	sigset_t pipe_set, old, pending;
	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	bool was_pending = sigismember(&pending, SIGPIPE);
	int code = pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
	if (code) {
		errno = code;
		return -1;
	}
	ssize_t n = write(fd, data, size);
	int saved = errno;
	if (n < 0 && saved == EPIPE && !was_pending)
		sigtimedwait(&pipe_set, NULL, &(struct timespec){0});
	code = pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = code ? code : saved;
	return code ? -1 : n;
}
