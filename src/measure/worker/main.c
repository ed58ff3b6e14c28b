/* The worker's loop: reads a request, answers it. See worker.h. */
#include <dlfcn.h>
#include <sys/prctl.h>

#include "proc/handover.h"
#include "worker/inspect.h"
#include "worker/launches.h"

/* Remembers the pipe behind `fd`, and keeps it from processes that a variant starts. -1
 * with errno: fd is not open. */
static int channel_init(ba_channel *c, int fd)
{
	struct stat st;
	if (fstat(fd, &st) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return -1;
	*c = (ba_channel){.fd = fd, .device = st.st_dev, .inode = st.st_ino};
	return 0;
}

/* Is it still the same pipe? */
static bool is_ours(const ba_channel *c)
{
	struct stat st;
	return !fstat(c->fd, &st) && st.st_dev == c->device && st.st_ino == c->inode;
}

/* The pipes to the host are gone: the host reads from the beacon whose code ran last.
 */
static void check_channels(const ba_worker *w)
{
	if (is_ours(&w->requests) && is_ours(&w->replies))
		return;
	w->beacon->variant = w->last_variant;
	w->beacon->phase = w->last_phase;
	w->beacon->channel_lost = 1;
	_exit(125);
}

void ba_worker_send(const ba_worker *w, ba_buf *message)
{
	ba_message_end(message);
	check_channels(w);
	if (ba_fs_write_all(w->replies.fd, message->data, message->len))
		_exit(125); /* the host is gone */
}

void ba_worker_reply(const ba_worker *w, const char *type, const ba_say *fields, size_t count)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, type);
	ba_message_add(&m, fields, count);
	ba_worker_send(w, &m);
}

void ba_worker_note(const ba_worker *w, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	BA_REPLY(w, "note", BA_SAY_TEXT("text", text));
}

/* What the host target's driver could not give, as the likely cause; or NULL. */
static const char *refused_by_driver(const ba_worker *w)
{
	ba_host_driver_refused_fn *refused = NULL;
	if (w->driver_open && w->target != BA_TARGET_GPU)
		*(void **)&refused = dlsym(w->driver.library, BA_HOST_DRIVER_REFUSED);
	return refused ? refused() : NULL;
}

void ba_worker_failed(ba_worker *w, int variant, const ba_error *err)
{
	const char *refused = refused_by_driver(w);
	BA_AUTO_FREE char *text =
		ba_xprintf("%s%s%s", err->text, refused ? "; " : "", refused ? refused : "");
	BA_REPLY(w, "failed", BA_SAY_I64("variant", variant), BA_SAY_I64("code", err->code),
		BA_SAY_TEXT("text", text), BA_SAY_BOOL("lost", w->lost),
		BA_SAY_BOOL("certain", w->certain));
	w->certain = false;
}

void ba_worker_enter(ba_worker *w, int variant, ba_phase phase)
{
	if (variant != BA_BEACON_NOBODY) {
		w->last_variant = variant;
		w->last_phase = phase;
	}
	w->beacon->variant = variant;
	w->beacon->phase = phase;
	w->beacon->progress++;
}

static int on_hello(ba_worker *w, const ba_message *m, ba_error *err)
{
	uint64_t version;
	BA_TRY(ba_message_u64(&version, m, "version", err));
	if (version != BA_WIRE_VERSION)
		return ba_fail(err, BA_EPROTOCOL,
			"the host speaks protocol %" PRIu64 ", this worker %u", version,
			BA_WIRE_VERSION);
	BA_REPLY(w, "hello", BA_SAY_U64("version", BA_WIRE_VERSION));
	return 0;
}

int64_t ba_worker_now(const ba_worker *w)
{
	return w->clock ? w->clock() : ba_now_ns();
}

void ba_worker_look_at_context(ba_worker *w)
{
	w->lost = w->lost || ba_driver_result_is_sticky(w->driver.ctx_synchronize());
}

int ba_worker_check_context(ba_worker *w, const char *call, ba_error *err)
{
	cu_context current = NULL;
	cu_result r = w->driver.ctx_get_current(&current);
	if (r)
		return ba_driver_fail(&w->driver, err, r, "cuCtxGetCurrent");
	if (current == w->context)
		return 0;
	w->driver.ctx_set_current(w->context);
	return ba_fail(err, BA_EVARIANT,
		"%s left another CUDA context current than the one it was called with", call);
}

int ba_worker_blame(ba_worker *w, int variant, const ba_error *trouble, ba_error *err)
{
	bool own = trouble->code == BA_EGPU;
	if (own)
		ba_worker_look_at_context(w);
	if (own && !w->lost) {
		*err = *trouble; /* which may be the same */
		return BA_EGPU;
	}
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	ba_worker_failed(w, variant, trouble);
	return 0;
}

static int on_open(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_TRY(ba_worker_open_device(w, m, err));
	BA_REPLY(w, "opened", BA_SAY_TEXT("driver", w->driver.path));
	return 0;
}

static int on_prepare(ba_worker *w, const ba_message *m, ba_error *err)
{
	w->speaks = ba_message_bool(m, "first");
	BA_TRY(w->plugin_kind ? ba_plugin_prepare(w, m, err) : ba_kernels_prepare(w, m, err));
	uint8_t present[256];
	for (size_t i = 0; i < w->lib_count && i < sizeof(present); i++)
		present[i] = w->plugin_kind ? !w->plugin.cases[i].absent
					    : !w->now.participants[i].absent;
	BA_REPLY(w, "prepared", BA_SAY_BYTES("present", present, w->lib_count),
		BA_SAY_IF(!w->plugin_kind, BA_SAY_U64("ring", w->now.ring_count)));
	return 0;
}

static int on_measure(ba_worker *w, const ba_message *m, ba_error *err)
{
	return w->plugin_kind ? ba_plugin_measure(w, m, err) : ba_kernels_measure(w, m, err);
}

static int on_release(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_kernels_release(w);
	ba_plugin_release(w);
	return 0;
}

static void close_all(ba_worker *w)
{
	ba_kernels_release(w);
	ba_plugin_release(w);
	for (size_t i = 0; i < w->lib_count; i++) {
		if (w->libs[i].suite_session && !w->lost)
			ba_plugin_close(w, i);
		if (w->libs[i].session && !w->lost) {
			ba_worker_enter(w, (int)i, BA_PHASE_CLOSE);
			w->libs[i].launcher->close(w->libs[i].session);
			w->libs[i].session = NULL;
		}
	}
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (w->plugin.ready && !w->lost)
		ba_plugin_end(w);
	if (w->driver_open && !w->lost)
		ba_worker_close_device(w);
}

static int on_close(ba_worker *w, const ba_message *m, ba_error *err)
{
	close_all(w);
	ba_worker_reply(w, "closed", NULL, 0);
	/* libraries stay loaded: their destructors are not ours to wait for */
	_exit(0);
}

static const struct {
	const char *type;
	int (*fn)(ba_worker *w, const ba_message *m, ba_error *err);
	bool needs_device;
	const char *reply; /* after it, if it succeeds; NULL: it replies itself */
} requests[] = {
	{"hello", on_hello, false, NULL},
	{"examine", ba_worker_examine, false, NULL},
	{"watch", ba_worker_watch, false, NULL},
	{"open", on_open, false, NULL},
	{"survey", ba_worker_survey, true, "surveyed"},
	{"load", ba_worker_load, true, NULL},
	{"warm", ba_worker_warm_up, true, "warm"},
	{"timing", ba_plugin_say_timing, true, NULL},
	{"ceilings", ba_plugin_say_ceilings, true, NULL},
	{"list", ba_plugin_list, true, "listed"},
	{"prepare", on_prepare, true, NULL},
	{"inspect", ba_worker_inspect, true, "inspected"},
	{"measure", on_measure, true, NULL},
	{"fresh_prepare", ba_plugin_fresh_prepare, true, NULL},
	{"fresh_inputs", ba_plugin_fresh_inputs, true, "fresh_inputs"},
	{"fresh_judge", ba_plugin_fresh_judge, true, NULL},
	{"fresh_run", ba_plugin_fresh_run, true, NULL},
	{"count", ba_worker_count, true, NULL},
	{"release", on_release, true, "released"},
	{"close", on_close, false, NULL},
};

static int answer(ba_worker *w, const char *line, size_t length)
{
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	int rc = ba_message_parse(&m, line, length, &err);
	size_t i = 0;
	while (rc == 0 && i < BA_COUNT(requests) && strcmp(requests[i].type, m.type) != 0)
		i++;
	if (rc == 0 && i == BA_COUNT(requests))
		rc = ba_fail(&err, BA_EPROTOCOL, "no such request '%s'", m.type);
	if (rc == 0 && requests[i].needs_device && !w->context)
		rc = ba_fail(&err, BA_EPROTOCOL, "request '%s' before 'open'", m.type);
	if (rc == 0)
		rc = requests[i].fn(w, &m, &err);
	if (rc < 0)
		ba_worker_failed(w, BA_BEACON_NOBODY, &err);
	else if (requests[i].reply)
		ba_worker_reply(w, requests[i].reply, NULL, 0);
	return rc;
}

/* "--requests FD --replies FD --beacon FD", all required: nobody starts it by hand.
 * "--wrapped": another program than the host starts it. */
static int parse_args(int fds[3], bool *wrapped, int argc, char **argv)
{
	static const char *const names[3] = {"--requests", "--replies", "--beacon"};
	for (int i = 0; i < 3; i++) {
		uint64_t fd;
		if (argc < 7 || argc > 8 || strcmp(argv[1 + 2 * i], names[i]) != 0 ||
			ba_parse_u64(&fd, argv[2 + 2 * i], 3, 1 << 20, names[i], NULL))
			return -1;
		fds[i] = (int)fd;
	}
	*wrapped = argc == 8 && strcmp(argv[7], "--wrapped") == 0;
	return argc == 8 && !*wrapped ? -1 : 0;
}

int main(int argc, char **argv)
{
	int fds[3];
	bool wrapped;
	ba_error err;
	ba_inherited_settle();
	if (parse_args(fds, &wrapped, argc, argv)) {
		fputs("bench-against-worker is started by bench-against, not by hand\n", stderr);
		return 129;
	}
	static ba_worker w;
	w.last_variant = w.last_launched = w.left_threads = BA_BEACON_NOBODY;
	FILE *in = channel_init(&w.requests, fds[0]) ? NULL : fdopen(fds[0], "r");
	if (!in || channel_init(&w.replies, fds[1]) ||
		/* of that program it may be a thread that starts this process, and ends */
		(!wrapped && prctl(PR_SET_PDEATHSIG, SIGKILL))) {
		perror("bench-against-worker: its descriptors");
		return 125;
	}
	if (ba_beacon_map(&w.beacon, fds[2], &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 125;
	}
	close(fds[2]); /* mapped: nobody can take it away */
	w.code.off = getenv("BENCH_AGAINST_DEBUGGER") != NULL;
	ba_process_code_learn(&w.code, BA_BEACON_NOBODY, BA_PROCESS_CODE_OURS);
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	while (!w.lost && (length = getline(&line, &capacity, in)) > 0) {
		answer(&w, line, (size_t)length);
		check_channels(&w);
	}
	free(line);
	_exit(w.lost ? 1 : 0);
}
