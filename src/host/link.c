#include "host/link.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "proc/proc.h"

#define REQUEST_FD 3
#define REPLY_FD 4
#define BEACON_FD 5
#define SLICE_NS (250 * BA_MS)
#define OUTPUT_LINES 12

struct ba_link {
	ba_proc *proc;
	ba_beacon *beacon;
	int64_t idle_limit_ns;
	bool hung;
	ba_fate fate;
};

static int start_process(
	ba_link *l, const ba_link_spec *spec, int beacon_fd, ba_error *err)
{
	const char *const argv[] = {spec->worker, "--requests", "3", "--replies", "4",
		"--beacon", "5", NULL};
	const ba_proc_fd fds[] = {{beacon_fd, BEACON_FD}};
	const ba_proc_spec proc = {.name = spec->name,
		.argv = argv,
		.env = spec->env,
		.out = {BA_OUTPUT_TAIL, 64 << 10},
		.err = {BA_OUTPUT_JOIN, 0},
		.request_fd = REQUEST_FD,
		.reply_fd = REPLY_FD,
		.fds = fds,
		.fd_count = 1,
		.grace_ns = BA_SECOND / 2,
		.stop = spec->stop};
	return ba_proc_start(&l->proc, &proc, err);
}

static int agree_on_version(ba_link *l, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf hello = BA_BUF_INIT;
	ba_message_begin(&hello, "hello");
	ba_message_put_u64(&hello, "version", BA_WIRE_VERSION);
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_link_send(l, &hello, err);
	rc = rc ? rc : ba_link_receive(&reply, l, err);
	if (rc)
		return rc;
	if (strcmp(reply.type, "hello") != 0)
		return ba_fail(err, BA_EPROTOCOL,
			"the worker answered '%s' to hello: %s", reply.type,
			ba_message_text(&reply, "text"));
	return 0;
}

int ba_link_start(ba_link **out, const ba_link_spec *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_link) ba_link *l = ba_xcalloc(1, sizeof(*l));
	BA_AUTO_FD int fd = -1;
	l->idle_limit_ns = spec->idle_limit_ns;
	int rc = ba_beacon_create(&l->beacon, &fd, err);
	rc = rc ? rc : start_process(l, spec, fd, err);
	rc = rc ? rc : agree_on_version(l, err);
	if (rc)
		return ba_fail_context(err, "the worker '%s'", spec->worker);
	*out = BA_TAKE(l);
	return 0;
}

void ba_link_free(ba_link *l)
{
	if (!l)
		return;
	ba_proc_free(l->proc);
	ba_beacon_unmap(l->beacon);
	free(l);
}

/* The beacon is read before the worker is killed, so that it says where it was. */
static int gone(ba_link *l, bool hung, ba_error *err)
{
	l->fate = (ba_fate){l->beacon->variant, l->beacon->phase, hung};
	if (hung) {
		ba_proc_kill(l->proc, 0);
		ba_proc_wait(l->proc, 5 * BA_SECOND, NULL);
	}
	BA_AUTO_FREE char *text = ba_link_fate_text(l);
	return ba_fail(err, BA_EWORKER, "%s", text);
}

int ba_link_send(ba_link *l, ba_buf *message, ba_error *err)
{
	ba_message_end(message);
	int rc = ba_proc_write(
		l->proc, message->data, message->len, l->idle_limit_ns, err);
	if (rc == BA_EWORKER || rc == BA_ETIMEOUT)
		return gone(l, rc == BA_ETIMEOUT, err);
	return rc;
}

int ba_link_receive(ba_message *out, ba_link *l, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	uint64_t progress = l->beacon->progress;
	int64_t alive_at = ba_now_ns();
	for (;;) {
		int rc = ba_proc_read_line(l->proc, SLICE_NS, &line, err);
		if (rc == 0)
			return ba_message_parse(out, line.data, line.len, err);
		if (rc == BA_EWORKER) {
			/* let its end be known, so that the sentence can name it */
			ba_proc_wait(l->proc, BA_SECOND, NULL);
			return gone(l, false, err);
		}
		if (rc != BA_ETIMEOUT)
			return rc;
		if (l->beacon->progress != progress) {
			progress = l->beacon->progress;
			alive_at = ba_now_ns();
		} else if (ba_now_ns() - alive_at > l->idle_limit_ns) {
			return gone(l, true, err);
		}
	}
}

void ba_link_close(ba_link *l)
{
	ba_error ignored;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "close");
	ba_message_end(&m);
	if (ba_proc_write(l->proc, m.data, m.len, BA_SECOND, &ignored) == 0)
		ba_proc_wait(l->proc, 10 * BA_SECOND, &ignored);
	if (!ba_proc_ended(l->proc)) {
		ba_proc_kill(l->proc, 0);
		ba_proc_wait(l->proc, 5 * BA_SECOND, &ignored);
	}
}

ba_fate ba_link_fate(const ba_link *l)
{
	return l->fate;
}

char *ba_link_fate_text(ba_link *l)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (l->fate.hung)
		ba_buf_printf(&text, "gave no sign of life for %g s",
			(double)l->idle_limit_ns / 1e9);
	else
		ba_proc_result_text(&text, ba_proc_result_of(l->proc));
	ba_buf_printf(&text, " %s", ba_phase_text(l->fate.phase));
	return ba_buf_detach(&text);
}

char *ba_link_output(ba_link *l)
{
	const ba_buf *out = &ba_proc_result_of(l->proc)->out;
	if (out->len == 0)
		return NULL;
	const char *last = ba_text_last_lines(out->data, OUTPUT_LINES);
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	ba_text_sanitize(&safe, last, strlen(last), true);
	return ba_buf_detach(&safe);
}
