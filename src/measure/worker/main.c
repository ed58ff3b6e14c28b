/* The worker's loop: reads a request, answers it. See worker.h. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parse.h"
#include "proc/inherited.h"
#include "worker/inspect.h"
#include "worker/measurement.h"
#include "worker/launches.h"

/* The pipes to the host are gone: the host reads from the beacon whose code ran last.
 */
static void check_channels(const ba_worker *w)
{
	if (ba_channel_is_ours(&w->requests) && ba_channel_is_ours(&w->replies))
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

void ba_worker_note(const ba_worker *w, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	BA_AUTO_FREE char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "note");
	ba_message_put_text(&m, "text", text);
	ba_worker_send(w, &m);
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
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	const char *refused = refused_by_driver(w);
	BA_AUTO_FREE char *text =
		ba_xprintf("%s%s%s", err->text, refused ? "; " : "", refused ? refused : "");
	ba_message_begin(&m, "failed");
	ba_message_put_i64(&m, "variant", variant);
	ba_message_put_i64(&m, "code", err->code);
	ba_message_put_text(&m, "text", text);
	ba_message_put_bool(&m, "lost", w->lost);
	ba_message_put_bool(&m, "certain", w->certain);
	w->certain = false;
	ba_worker_send(w, &m);
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

static void done(const ba_worker *w, const char *type)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, type);
	ba_worker_send(w, &m);
}

static int on_hello(ba_worker *w, const ba_message *m, ba_error *err)
{
	uint64_t version;
	BA_TRY(ba_message_u64(&version, m, "version", err));
	if (version != BA_WIRE_VERSION)
		return ba_fail(err, BA_EPROTOCOL,
			"the host speaks protocol %" PRIu64 ", this worker %u", version,
			BA_WIRE_VERSION);
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_message_begin(&reply, "hello");
	ba_message_put_u64(&reply, "version", BA_WIRE_VERSION);
	ba_worker_send(w, &reply);
	return 0;
}

int64_t ba_worker_now(const ba_worker *w)
{
	return w->clock ? w->clock() : ba_now_ns();
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

bool ba_worker_is_own(ba_worker *w, const ba_error *trouble)
{
	if (trouble->code != BA_EGPU)
		return false;
	/* an error that stays is every later call's error */
	w->lost = w->lost || ba_driver_result_is_sticky(w->driver.ctx_synchronize());
	return !w->lost;
}

static int on_open(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_TRY(ba_worker_open_device(w, m, err));
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_message_begin(&reply, "opened");
	ba_message_put_text(&reply, "driver", w->driver.path);
	ba_worker_send(w, &reply);
	return 0;
}

static int on_survey(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	BA_TRY(ba_worker_survey(w, err));
	done(w, "surveyed");
	return 0;
}

static int on_warm(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	BA_TRY(ba_worker_warm_up(w, err));
	done(w, "warm");
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
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_message_begin(&reply, "prepared");
	ba_message_put_bytes(&reply, "present", present, w->lib_count);
	if (!w->plugin_kind)
		ba_launches_put_shape(&reply, w);
	ba_worker_send(w, &reply);
	return 0;
}

static int on_measure(ba_worker *w, const ba_message *m, ba_error *err)
{
	return w->plugin_kind ? ba_plugin_measure(w, m, err) : ba_kernels_measure(w, m, err);
}

static int on_release(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	(void)err;
	ba_kernels_release(w);
	ba_plugin_release(w);
	done(w, "released");
	return 0;
}

static int on_list(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	(void)err;
	ba_plugin_list(w);
	done(w, "listed");
	return 0;
}

static int on_inspect(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_TRY(ba_worker_inspect(w, m, err));
	done(w, "inspected");
	return 0;
}

static int on_timing(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	return ba_plugin_say_timing(w, err);
}

static int on_ceilings(ba_worker *w, const ba_message *m, ba_error *err)
{
	(void)m;
	return ba_plugin_say_ceilings(w, err);
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
	(void)m;
	(void)err;
	close_all(w);
	done(w, "closed");
	/* libraries stay loaded: their destructors are not ours to wait for */
	_exit(0);
}

static const struct {
	const char *type;
	int (*fn)(ba_worker *w, const ba_message *m, ba_error *err);
	bool needs_device;
} requests[] = {
	{"hello", on_hello, false},
	{"examine", ba_worker_examine, false},
	{"watch", ba_worker_watch, false},
	{"open", on_open, false},
	{"survey", on_survey, true},
	{"load", ba_worker_load, true},
	{"warm", on_warm, true},
	{"timing", on_timing, true},
	{"ceilings", on_ceilings, true},
	{"list", on_list, true},
	{"prepare", on_prepare, true},
	{"inspect", on_inspect, true},
	{"measure", on_measure, true},
	{"fresh_prepare", ba_plugin_fresh_prepare, true},
	{"fresh_inputs", ba_plugin_fresh_inputs, true},
	{"fresh_judge", ba_plugin_fresh_judge, true},
	{"fresh_run", ba_plugin_fresh_run, true},
	{"count", ba_worker_count, true},
	{"release", on_release, true},
	{"close", on_close, false},
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
	FILE *in = ba_channel_init(&w.requests, fds[0]) ? NULL : fdopen(fds[0], "r");
	if (!in || ba_channel_init(&w.replies, fds[1]) ||
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
