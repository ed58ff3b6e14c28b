#include <poll.h>

#include "proc/handle.h"

#define STOP_LOOK_NS (50 * BA_MS) /* longest delay before spec.stop is noticed */
#define ASK_NS (2 * BA_MS)	  /* time between polls without a pidfd */
/* time for processes that a child left to end by themselves */
#define LINGER_NS (500 * BA_MS)
#define LINGER_ASK_NS (10 * BA_MS)
#define LINGER_MOST_NS (10 * BA_SECOND) /* the limit even if they had no processor */

typedef struct poll_set {
	struct pollfd *rows;
	size_t count, capacity;
} poll_set;

BA_OWNS_HERE(poll_set, s, free(s->rows))

static void watch(poll_set *s, int fd, short events)
{
	if (fd < 0)
		return;
	*BA_PUSH(s->rows, s->count, s->capacity) = (struct pollfd){.fd = fd, .events = events};
}

static void watch_proc(poll_set *s, const ba_proc *p)
{
	if (p->stage == BA_PROC_STAGE_ENDED)
		return;
	if (p->stage != BA_PROC_STAGE_LINGERING)
		watch(s, p->pidfd, POLLIN);
	watch(s, p->out.fd, POLLIN);
	watch(s, p->err.fd, POLLIN);
	watch(s, p->stdin_fd, POLLOUT);
	if (p->reply.len - p->reply_taken <= p->line_ceiling)
		watch(s, p->reply_fd, POLLIN);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* when p must be examined again even if nothing happens */
static int64_t next_look(const ba_proc *p, int64_t now)
{
	int64_t when = BA_FOREVER;
	switch (p->stage) {
	case BA_PROC_STAGE_RUNNING:
		when = p->deadline_ns;
		break;
	case BA_PROC_STAGE_TERMINATING:
		when = p->kill_at_ns;
		break;
	case BA_PROC_STAGE_DYING:
		when = p->give_up_ns;
		break;
	case BA_PROC_STAGE_LINGERING:
		when = now + LINGER_ASK_NS;
		break;
	case BA_PROC_STAGE_ENDED:
		return BA_FOREVER;
	}
	if (p->pidfd < 0 && p->stage != BA_PROC_STAGE_LINGERING)
		when = earlier(when, now + ASK_NS);
	return p->stop ? earlier(when, now + STOP_LOOK_NS) : when;
}

static void read_reply(ba_proc *p)
{
	char chunk[65536];
	while (p->reply_fd >= 0 && p->reply.len - p->reply_taken <= p->line_ceiling) {
		ssize_t n = read(p->reply_fd, chunk, sizeof(chunk));
		if (n > 0) {
			ba_buf_put(&p->reply, chunk, (size_t)n);
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			p->reply_errno = n < 0 ? errno : 0;
			ba_handle_close(&p->reply_fd);
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

static void feed_stdin(ba_proc *p)
{
	if (p->stdin_fd < 0)
		return;
	ssize_t n = p->stdin_size ? ba_pipe_write(p->stdin_fd, p->stdin_data, p->stdin_size) : 0;
	if (n > 0) {
		p->stdin_data += n;
		p->stdin_size -= (size_t)n;
	}
	/* a child need not read all of its input */
	if (!p->stdin_size || (n < 0 && errno != EAGAIN && errno != EINTR))
		ba_handle_close(&p->stdin_fd);
}

static void serve(ba_proc *p)
{
	ba_capture_read(p, &p->out);
	ba_capture_read(p, &p->err);
	feed_stdin(p);
	read_reply(p);
}

static void end(ba_proc *p)
{
	ba_reap_kill_leftovers(p);
	read_reply(p);
	ba_capture_finish(p);
	ba_reap_collect(p);
	ba_reap_forget(p);
	ba_handle_close(&p->stdin_fd);
	ba_handle_close(&p->request_fd);
	p->stage = BA_PROC_STAGE_ENDED;
}

/* The child itself has ended: looks for processes that it left. */
static void ended(ba_proc *p, int64_t now)
{
	bool killed = p->stage != BA_PROC_STAGE_RUNNING;
	p->result.wall_ns = now - p->started_ns;
	ba_leftovers left = {0};
	if (killed || !(left = ba_reap_leftovers(p)).count) {
		end(p);
		return;
	}
	p->stage = BA_PROC_STAGE_LINGERING;
	p->linger = (ba_linger){
		.looked_ns = now, .give_up_ns = now + LINGER_MOST_NS, .ticks = left.ticks};
}

/* This process may have had no processor itself: one look counts as no more than two
 * intervals. */
static void linger(ba_proc *p, int64_t now)
{
	ba_linger *l = &p->linger;
	ba_leftovers left = ba_reap_leftovers(p);
	if (!left.waiting)
		l->used_ns += earlier(now - l->looked_ns, 2 * LINGER_ASK_NS);
	if (left.ticks > l->ticks)
		l->used_ns += (int64_t)(left.ticks - l->ticks) * (BA_SECOND / sysconf(_SC_CLK_TCK));
	l->ticks = left.ticks;
	l->looked_ns = now;
	if (!left.count || l->used_ns >= LINGER_NS || now >= l->give_up_ns)
		end(p);
}

static void give_up(ba_proc *p)
{
	p->result.end = BA_PROC_STUCK;
	p->result.wall_ns = ba_now_ns() - p->started_ns;
	p->reaped = true; /* it never will be: nothing tries again */
	end(p);
}

static void advance(ba_proc *p)
{
	int64_t now = ba_now_ns();
	if (p->stage == BA_PROC_STAGE_ENDED)
		return;
	if (p->stage == BA_PROC_STAGE_LINGERING) {
		linger(p, now);
		return;
	}
	if (ba_reap_has_ended(p)) {
		ended(p, now);
		return;
	}
	if (p->stage == BA_PROC_STAGE_RUNNING && now >= p->deadline_ns) {
		p->cause = BA_PROC_TIMEOUT;
		ba_proc_kill(p, p->grace_ns);
	} else if (p->stage == BA_PROC_STAGE_TERMINATING && now >= p->kill_at_ns) {
		kill(-p->pid, SIGKILL);
		p->stage = BA_PROC_STAGE_DYING;
		p->give_up_ns = now + BA_GIVE_UP_NS;
	} else if (p->stage == BA_PROC_STAGE_DYING && now >= p->give_up_ns) {
		give_up(p);
	}
}

static int wait_for(poll_set *set, int64_t until)
{
	int64_t left = until == BA_FOREVER ? -1 : until - ba_now_ns();
	struct timespec limit = {0};
	if (left > 0)
		limit = (struct timespec){left / BA_SECOND, left % BA_SECOND};
	return ppoll(set->rows, set->count, until == BA_FOREVER ? NULL : &limit, NULL);
}

static int64_t waits_end_ns;

void ba_proc_end_waits_at(int64_t ns)
{
	waits_end_ns = ns;
}

int ba_pump_step(ba_proc *const *procs, size_t n, int64_t until, ba_error *err)
{
	BA_AUTO(poll_set) poll_set set = {0};
	int64_t now = ba_now_ns();
	for (size_t i = 0; i < n; i++) {
		if (!procs[i])
			continue;
		if (procs[i]->stop && (*procs[i]->stop || (waits_end_ns && now >= waits_end_ns)))
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		watch_proc(&set, procs[i]);
		until = earlier(until, next_look(procs[i], now));
	}
	if (wait_for(&set, until) < 0 && errno != EINTR)
		return ba_fail_errno(err, BA_EIO, "waiting for children");
	for (size_t i = 0; i < n; i++) {
		if (!procs[i] || procs[i]->stage == BA_PROC_STAGE_ENDED)
			continue;
		serve(procs[i]);
		advance(procs[i]);
	}
	return 0;
}
