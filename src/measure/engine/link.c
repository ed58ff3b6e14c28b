#include "engine/link.h"

#include "proc/usage.h"

#define REQUEST_FD 3
#define REPLY_FD 4
#define BEACON_FD 5
#define SLICE_NS (250 * BA_MS)
/* lines of output shown, for each failed benchmark */
#define OUTPUT_LINES 12
#define OUTPUT_BYTES ((size_t)8 << 10)
/* limits for a program: the longest line, and the most messages before an answer */
#define PROGRAM_LINE_BYTES ((size_t)4 << 20)
#define NEWS_MOST 10000u
/* limit for all lines of an answer, because the host may keep them */
#define NEWS_BYTES ((size_t)16 << 20)

struct ba_link {
	ba_proc *proc;
	ba_beacon *beacon; /* NULL: a program */
	int64_t idle_limit_ns;
	bool doubted, asked_to_end;
	ba_link_end end;
	char asked[16]; /* a program: the request that was sent last */
	/* it has answered hello; other requests may have been sent before */
	bool greeted;
	unsigned news; /* messages since the last request */
	size_t news_bytes;
	char *rejected; /* why it was ended, or NULL */
	char *name;	/* a program's name, as it states it, or NULL */
	ba_link_times times;
};

/* The process of the link, which gets the descriptors of `fds` besides the socket. */
static int start_process(ba_link *l, const ba_link_spec *spec, const char *const *argv,
	const char *const *env, ba_proc_fd beacon, ba_error *err)
{
	const ba_proc_fd fds[] = {{spec->socket, BA_LINK_SOCKET_FD}, beacon};
	const ba_proc_spec proc = {.name = spec->name,
		.argv = argv,
		.env = env,
		.dir = spec->dir,
		.out = {BA_OUTPUT_TAIL, 64 << 10},
		.err = {BA_OUTPUT_JOIN, 0},
		.request_fd = REQUEST_FD,
		.reply_fd = REPLY_FD,
		.fds = spec->socket ? fds : fds + 1,
		.fd_count = (spec->socket != 0) + (beacon.child_fd != 0),
		.line_ceiling = beacon.child_fd ? 0 : PROGRAM_LINE_BYTES,
		.grace_ns = BA_SECOND / 2,
		.fixed_addresses = spec->fixed_addresses,
		.stop = spec->stop};
	l->idle_limit_ns = spec->idle_limit_ns;
	return ba_sandbox_start(&l->proc, &proc, spec->sandbox, err);
}

static int start_worker(ba_link *l, const ba_link_spec *spec, int beacon_fd, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	for (const char *const *w = spec->wrapper; w && *w; w++)
		ba_strv_push(&argv, *w);
	BA_STRV_PUSH(&argv, spec->worker, "--requests", "3", "--replies", "4", "--beacon", "5");
	if (spec->wrapper)
		ba_strv_push(&argv, "--wrapped");
	return start_process(l, spec, (const char *const *)argv.items, spec->env,
		(ba_proc_fd){beacon_fd, BEACON_FD}, err);
}

static int agree_on_version(ba_link *l, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf hello = BA_BUF_INIT;
	BA_MESSAGE(&hello, "hello", BA_SAY_U64("version", BA_WIRE_VERSION));
	BA_AUTO(ba_message) ba_message reply = {0};
	BA_TRY(ba_link_send(l, &hello, err));
	BA_TRY(ba_link_receive(&reply, l, err));
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a message has a type */
	if (strcmp(reply.type, "hello") != 0)
		return ba_fail(err, BA_EPROTOCOL, "the worker answered '%s' to hello: %s",
			reply.type, ba_message_text(&reply, "text"));
	return 0;
}

/* The environment: our own or the given one, with the descriptors for requests and
 * answers. */
static void program_environment(ba_strv *out, const char *const *env)
{
	for (const char *const *e = env ? env : (const char *const *)environ; *e; e++)
		ba_strv_push(out, *e);
	ba_strv_printf(out, "BENCH_AGAINST_REQUESTS=%d", REQUEST_FD);
	ba_strv_printf(out, "BENCH_AGAINST_REPLIES=%d", REPLY_FD);
}

int ba_link_start_program(ba_link **out, const ba_link_spec *spec, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv env = {0};
	program_environment(&env, spec->env);
	BA_AUTO_PTR(ba_link) ba_link *l = ba_xcalloc(1, sizeof(*l));
	BA_TRY(start_process(
		l, spec, spec->argv, (const char *const *)env.items, (ba_proc_fd){0}, err));
	*out = BA_TAKE(l);
	return 0;
}

int ba_link_hail_program(ba_link *l, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf hello = BA_BUF_INIT;
	BA_MESSAGE(&hello, "hello", BA_SAY_TEXT("protocol", BA_WIRE_PROGRAMS),
		BA_SAY_U64("version", BA_WIRE_PROGRAMS_VERSION));
	return ba_link_send(l, &hello, err);
}

/* the request that is still unanswered */
static const char *awaited(const ba_link *l)
{
	return l->greeted ? l->asked : "hello";
}

int ba_link_hear_hello(ba_link *l, ba_error *err)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	uint64_t version = 0;
	if (l->greeted)
		return 0;
	BA_TRY(ba_link_receive(&reply, l, err));
	if (strcmp(reply.type, "failed") == 0)
		return ba_link_reject(l, err, "%s", ba_message_text(&reply, "text"));
	ba_message_u64(&version, &reply, "version", NULL);
	ba_text_replace(&l->name, ba_message_text(&reply, "name"));
	if (strcmp(reply.type, "hello") == 0 && version == BA_WIRE_PROGRAMS_VERSION &&
		strcmp(ba_message_text(&reply, "protocol"), BA_WIRE_PROGRAMS) == 0) {
		l->greeted = true;
		return 0;
	}
	return ba_link_reject(l, err,
		"answered '%s' to hello and speaks '%s' %llu; this tool speaks %s %u", reply.type,
		ba_message_text(&reply, "protocol"), (unsigned long long)version, BA_WIRE_PROGRAMS,
		BA_WIRE_PROGRAMS_VERSION);
}

bool ba_link_is_program(const ba_link *l)
{
	return !l->beacon;
}

const char *ba_link_program_name(const ba_link *l)
{
	return l->name ? l->name : "";
}

int ba_link_start(ba_link **out, const ba_link_spec *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_link) ba_link *l = ba_xcalloc(1, sizeof(*l));
	BA_AUTO_FD int fd = -1;
	l->doubted = spec->doubted;
	int rc = ba_beacon_create(&l->beacon, &fd, err);
	rc = rc ? rc : start_worker(l, spec, fd, err);
	rc = rc ? rc : agree_on_version(l, err);
	if (rc)
		return ba_fail_context(err, "the worker '%s'", spec->worker);
	*out = BA_TAKE(l);
	return 0;
}

BA_OWNS_HANDLE(ba_link, l, ba_proc_free(l->proc), ba_beacon_unmap(l->beacon),
	BA_FREE(l->rejected, l->name))

/* Reads the beacon before killing the worker, to learn whose code ran. */
static int gone(ba_link *l, bool hung, ba_error *err)
{
	l->end = (ba_link_end){.hung = hung}; /* a program has one variant */
	if (l->beacon) {
		l->end.variant = l->beacon->variant;
		l->end.phase = l->beacon->phase;
		l->end.channel_lost = l->beacon->channel_lost != 0;
	}
	if (hung) {
		ba_proc_kill(l->proc, 0);
		ba_proc_wait(l->proc, 5 * BA_SECOND, NULL);
	} else {
		l->end.file_limit = ba_proc_result_hit_file_limit(ba_proc_result_of(l->proc));
	}
	BA_AUTO_FREE char *text = ba_link_end_text(l);
	return ba_fail(err, BA_EWORKER, "%s", text);
}

int ba_link_reject(ba_link *l, ba_error *err, const char *fmt, ...)
{
	BA_FORMATTED(why, fmt);
	/* a program's own words are foreign text */
	ba_text_own(&l->rejected, ba_text_sentence(why));
	l->end = (ba_link_end){0};
	ba_proc_kill(l->proc, 0);
	ba_proc_wait(l->proc, 5 * BA_SECOND, NULL);
	return ba_fail(err, BA_EWORKER, "%s", l->rejected);
}

/* {"t":"measure",... */
static void note_request(ba_link *l, const ba_buf *message)
{
	const char *type = message->data + strlen("{\"t\":\"");
	size_t size = strcspn(type, "\"");
	if (size >= sizeof(l->asked))
		size = sizeof(l->asked) - 1;
	memcpy(l->asked, type, size);
	l->asked[size] = '\0';
	l->news = 0;
	l->news_bytes = 0;
}

int ba_link_send(ba_link *l, ba_buf *message, ba_error *err)
{
	ba_message_end(message);
	note_request(l, message);
	l->times.asked_ns = ba_now_ns();
	int rc = ba_proc_write(l->proc, message->data, message->len, l->idle_limit_ns, err);
	if (rc == BA_EWORKER || rc == BA_ETIMEOUT)
		return gone(l, rc == BA_ETIMEOUT, err);
	return rc;
}

static uint64_t progress_of(const ba_link *l)
{
	return l->beacon ? l->beacon->progress : 0;
}

static int understand(ba_message *out, ba_link *l, const ba_buf *line, ba_error *err)
{
	ba_error why;
	if (l->beacon)
		return ba_message_parse(out, line->data, line->len, err);
	if (++l->news > NEWS_MOST)
		return ba_link_reject(l, err, "sent more than %u messages before it answered '%s'",
			NEWS_MOST, awaited(l));
	l->news_bytes += line->len;
	if (l->news_bytes > NEWS_BYTES)
		return ba_link_reject(l, err, "wrote more than %zu MiB before it answered '%s'",
			NEWS_BYTES >> 20, awaited(l));
	if (ba_message_parse(out, line->data, line->len, &why) == 0)
		return 0;
	return ba_link_reject(l, err, "before it answered '%s' it wrote %s", awaited(l), why.text);
}

/* "v2 wrote a line of more than 4194304 bytes": the caller adds the name */
static int reject_line(ba_link *l, ba_error *err)
{
	size_t name = strlen(ba_proc_name(l->proc));
	BA_AUTO_FREE char *text = ba_xstrdup(err->text);
	bool named = ba_text_starts(text, ba_proc_name(l->proc)) && text[name] == ' ';
	return ba_link_reject(l, err, "%s", named ? text + name + 1 : text);
}

/* Is the answer overdue, whatever the worker reports meanwhile? */
static bool is_overdue(const ba_link *l)
{
	return l->doubted &&
	       l->times.heard_ns - l->times.asked_ns > BA_LINK_OVERDUE * l->idle_limit_ns;
}

int ba_link_receive(ba_message *out, ba_link *l, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	uint64_t progress = progress_of(l);
	ba_deadline deadline = ba_deadline_start(l->proc);
	for (;;) {
		int rc = ba_proc_read_line(l->proc, SLICE_NS, &line, err);
		l->times.heard_ns = ba_now_ns();
		if ((rc == 0 || rc == BA_ETIMEOUT) && is_overdue(l))
			return gone(l, true, err);
		if (rc == 0)
			return understand(out, l, &line, err);
		if (rc == BA_EPROTOCOL && !l->beacon)
			return reject_line(l, err);
		if (rc == BA_EWORKER) {
			/* wait for the exit status, so that the sentence can contain it */
			ba_proc_wait(l->proc, BA_SECOND, NULL);
			return gone(l, false, err);
		}
		if (rc != BA_ETIMEOUT)
			return rc;
		if (progress_of(l) != progress) {
			progress = progress_of(l);
			deadline = ba_deadline_start(l->proc);
		} else if (ba_deadline_used(&deadline, l->proc, SLICE_NS) > l->idle_limit_ns) {
			return gone(l, true, err);
		}
	}
}

bool ba_link_has_message(ba_link *l)
{
	return ba_proc_has_line(l->proc);
}

void ba_link_ask_to_end(ba_link *l)
{
	ba_error ignored;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	if (!l || l->asked_to_end)
		return;
	ba_message_begin(&m, "close");
	ba_message_end(&m);
	l->asked_to_end = ba_proc_write(l->proc, m.data, m.len, BA_SECOND, &ignored) == 0;
	if (l->asked_to_end)
		ba_proc_close_request(l->proc);
}

void ba_link_close(ba_link *l)
{
	ba_error ignored;
	if (!l)
		return;
	ba_link_ask_to_end(l);
	if (l->asked_to_end)
		ba_proc_wait(l->proc, 10 * BA_SECOND, &ignored);
	if (!ba_proc_ended(l->proc)) {
		ba_proc_kill(l->proc, 0);
		ba_proc_wait(l->proc, 5 * BA_SECOND, &ignored);
	}
}

ba_link_end ba_link_end_of(const ba_link *l)
{
	return l->end;
}

char *ba_link_end_text(ba_link *l)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (l->rejected)
		return ba_xstrdup(l->rejected);
	if (l->end.hung)
		ba_buf_printf(&text, "made no progress for %g s", (double)l->idle_limit_ns / 1e9);
	else if (l->end.channel_lost)
		ba_buf_puts(&text, "closed or replaced descriptors that belong to bench-against,");
	else
		ba_proc_result_text(&text, ba_proc_result_of(l->proc));
	if (l->beacon)
		ba_buf_printf(&text, " %s", ba_phase_text(l->end.phase));
	else
		ba_buf_printf(&text, " before it answered '%s'", awaited(l));
	return ba_buf_detach(&text);
}

ba_witness ba_link_witness(const ba_link *l)
{
	if (!l->beacon)
		return (ba_witness){0};
	return (ba_witness){
		l->beacon->witness.launches, l->beacon->witness.sum, l->beacon->witness.whole};
}

ba_link_times ba_link_times_of(const ba_link *l)
{
	return l->times;
}

long ba_link_pid(const ba_link *l)
{
	return (long)ba_proc_pid(l->proc);
}

char *ba_link_output(ba_link *l)
{
	const ba_buf *out = &ba_proc_result_of(l->proc)->out;
	if (out->len == 0)
		return NULL;
	const char *last =
		ba_text_last_bytes(ba_text_last_lines(out->data, OUTPUT_LINES), OUTPUT_BYTES);
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	ba_text_sanitize(&safe, last, strlen(last), true);
	return ba_buf_detach(&safe);
}
