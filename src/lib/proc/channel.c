/* Writes requests to a child and reads its lines, through two pipes. */

#include "proc/handle.h"

/* longest time from a closed channel to the end of the child */
#define END_WAIT_NS (2 * BA_SECOND)

/* The child has ended or is about to: the error says how. */
static int fail_ended(ba_proc *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	int rc = ba_proc_wait(p, END_WAIT_NS, err);
	if (rc == BA_EINTERRUPTED)
		return rc;
	if (rc < 0)
		return ba_fail(err, BA_EWORKER, "%s closed its channel but still runs", p->name);
	ba_proc_result_text(&how, &p->result);
	return ba_fail(err, BA_EWORKER, "%s %s", p->name, how.data);
}

/* The channel is closed: the child's end may be known shortly afterwards. */
static int fail_lines_end(ba_proc *p, ba_error *err)
{
	int rc = fail_ended(p, err);
	if (rc == BA_EWORKER && p->reply.len && p->stage == BA_PROC_STAGE_ENDED &&
		ba_proc_result_ok(&p->result))
		return ba_fail(err, BA_EPROTOCOL, "%s ended in the middle of a line", p->name);
	return rc;
}

/* Lines that came at once are taken one after the other; what is left moves to the front
 * of the buffer once, when more must be read. */
static bool take_line(ba_proc *p, ba_buf *line)
{
	char *start = p->reply.data + p->reply_taken;
	size_t known = p->reply_scanned, rest = p->reply.len - p->reply_taken;
	char *newline = memchr(start + known, '\n', rest - known);
	if (newline) {
		size_t size = (size_t)(newline - start);
		ba_buf_clear(line);
		ba_buf_put(line, start, size);
		p->reply_taken += size + 1;
		p->reply_scanned = 0;
		return true;
	}
	memmove(p->reply.data, start, rest);
	ba_buf_truncate(&p->reply, rest);
	p->reply_taken = 0;
	p->reply_scanned = rest;
	return false;
}

int ba_proc_read_line(ba_proc *p, int64_t timeout_ns, ba_buf *line, ba_error *err)
{
	int64_t until = ba_moment(timeout_ns);
	while (!take_line(p, line)) {
		if (p->reply.len > p->line_ceiling)
			return ba_fail(err, BA_EPROTOCOL, "%s wrote a line of more than %zu bytes",
				p->name, p->line_ceiling);
		if (p->reply_errno) {
			errno = p->reply_errno;
			return ba_fail_errno(err, BA_EIO, "cannot read from %s", p->name);
		}
		if (p->reply_fd < 0 || p->stage == BA_PROC_STAGE_ENDED)
			return fail_lines_end(p, err);
		if (ba_now_ns() >= until)
			return ba_fail(err, BA_ETIMEOUT, "%s did not answer in time", p->name);
		BA_TRY(ba_pump_step(&p, 1, until, err));
	}
	return 0;
}

bool ba_proc_has_line(ba_proc *p)
{
	ba_error ignored;
	if (p->reply_fd >= 0 && ba_pump_step(&p, 1, ba_now_ns(), &ignored))
		return true;
	return p->reply_fd < 0 || p->stage == BA_PROC_STAGE_ENDED || p->reply_errno ||
	       memchr(p->reply.data + p->reply_taken, '\n', p->reply.len - p->reply_taken);
}

int ba_proc_write(ba_proc *p, const void *data, size_t size, int64_t timeout_ns, ba_error *err)
{
	int64_t until = ba_moment(timeout_ns);
	const char *rest = data;
	while (size) {
		if (p->request_fd < 0 || p->stage == BA_PROC_STAGE_ENDED)
			return fail_ended(p, err);
		ssize_t n = ba_pipe_write(p->request_fd, rest, size);
		if (n >= 0) {
			rest += n;
			size -= (size_t)n;
		} else if (errno == EPIPE) {
			return fail_ended(p, err);
		} else if (errno != EAGAIN && errno != EINTR) {
			return ba_fail_errno(err, BA_EIO, "cannot write to %s", p->name);
		} else if (ba_now_ns() >= until) {
			return ba_fail(err, BA_ETIMEOUT, "%s does not read its requests", p->name);
		} else {
			/* the pipe is full: read the child's output, then try again */
			int64_t soon = ba_now_ns() + BA_MS;
			BA_TRY(ba_pump_step(&p, 1, soon < until ? soon : until, err));
		}
	}
	return 0;
}

void ba_proc_close_request(ba_proc *p)
{
	ba_handle_close(&p->request_fd);
}

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
