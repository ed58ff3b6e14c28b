#include "hook/google.h"

#include <dlfcn.h>

#include "hook/printed.h"
#include "hook/symbols.h"

#define IN "_ZN9benchmark"
#define RUN IN "22RunSpecifiedBenchmarksE"
#define OVERLOADS 8u
#define MEMBER_INDENT 6u

/* before 1.8, in a shared library */
#define OLD_STATE                                                                           \
	IN "5StateC1ElRKSt6vectorIlSaIlEEiiPNS_8internal11ThreadTimerEPNS6_13ThreadManager" \
	   "EPNS6_23PerfCountersMeasurementE"
typedef void state_fn(void *, int64_t, const void *, int, int, void *, void *, void *);
static state_fn *old_state; /* NULL: there is none, or it cannot be intercepted */

/* ---- the library's functions ---- */

static struct {
	ba_detour run[OVERLOADS], without_random;
	size_t overloads;
	size_t (*run_with)(void *display, void *file);
	void (*initialize)(int *argc, char **argv, void (*help)(void));
	void (*make_reporter)(void *reporter);
	void **json_reporter;  /* its table of virtual functions */
	void *old_constructor; /* before 1.8; later ones take counts: --benchmark_min_time=Nx */
	void (*serve)(void);
} its;

/* Functions by the beginnings of their names; the first that is found counts. */
static void note(void *data, const char *name, void *address, bool has_room)
{
	const struct {
		const char *begins;
		void *to; /* a pointer that gets the address */
	} rows[] = {{IN "10InitializeEPiPPc", &its.initialize},
		{IN "17BenchmarkReporterC2Ev", &its.make_reporter},
		{"_ZTVN9benchmark12JSONReporterE", &its.json_reporter},
		{IN "5StateC2El", &its.old_constructor},
		{IN "23MaybeReenterWithoutASLREiPPc", &its.without_random.from}};
	if (!has_room)
		return;
	if (ba_text_starts(name, RUN) && its.overloads < OVERLOADS)
		its.run[its.overloads++].from = address;
	if (strcmp(name, RUN "PNS_17BenchmarkReporterES1_") == 0 && !its.run_with)
		its.run_with = (size_t(*)(void *, void *))address;
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		void *known;
		memcpy(&known, rows[i].to, sizeof(known));
		if (!known && ba_text_starts(name, rows[i].begins))
			memcpy(rows[i].to, &address, sizeof(address));
	}
	ba_google_loop_note(name, address);
}

bool ba_google_find(void)
{
	ba_symbols_each(note, NULL);
	if (!its.run_with)
		return false;
	old_state = (state_fn *)dlsym(RTLD_NEXT, OLD_STATE);
	return its.initialize && its.make_reporter && its.json_reporter;
}

BA_DETOUR_TARGET static void keep_random_addresses(int argc, char **argv) {}

BA_DETOUR_TARGET static size_t take_turns(void)
{
	for (size_t i = 0; i < its.overloads; i++)
		ba_detour_remove(&its.run[i]);
	its.serve();
	exit(0);
}

bool ba_google_take_over(void (*serve)(void))
{
	its.serve = serve;
	/* the answer averages over the addresses of many processes; from 1.9.5 on, the library gives
	 * all of them the same */
	its.without_random.to = (void *)keep_random_addresses;
	bool done = !its.without_random.from || ba_detour_set(&its.without_random);
	for (size_t i = 0; done && i < its.overloads; i++) {
		its.run[i].to = (void *)take_turns;
		done = ba_detour_set(&its.run[i]);
	}
	return done;
}

/* ---- the number of iterations before 1.8 ---- */

static uint64_t forced_iterations;

/* Stands before the constructor of a shared library. The first run is to have one iteration, and gets
 * as many as are wanted. */
__attribute__((visibility("default"))) state_fn ba_google_old_state __asm__(OLD_STATE);
void ba_google_old_state(void *state, int64_t iterations, const void *ranges, int thread,
	int threads, void *timer, void *manager, void *counters)
{
	if (iterations == 1 && forced_iterations)
		iterations = (int64_t)forced_iterations;
	old_state(state, iterations, ranges, thread, threads, timer, manager, counters);
}

static void put_iterations(ba_strv *flags, uint64_t iterations, double iteration_ns)
{
	char *flag =
		!its.old_constructor
			? ba_xprintf("--benchmark_min_time=%" PRIu64 "x", iterations)
			: ba_xprintf("--benchmark_min_time=%.9f",
				  old_state ? 0 : (double)(iterations - 1) * iteration_ns / 1e9);
	ba_strv_push_take(flags, flag);
}

/* ---- a call, and what it prints ---- */

/* The beginning is the same in all versions. From 1.7 to 1.9.5, the library's own reporter cannot be
 * used twice: it is deleted, and its pointer kept. */
typedef struct reporter {
	void **functions;
	void *output, *error;
	bool is_first;
	void *rest[8];
} reporter;

/* What the benchmark itself prints meanwhile is among what is printed. */
static void call_library(ba_buf *out, const ba_strv *flags)
{
	/* the library takes out those that it knows */
	BA_AUTO_FREE char **argv = ba_xcalloc(flags->count + 2, sizeof(*argv));
	reporter json = {0};
	int argc = (int)flags->count + 1;
	const ba_paper paper = ba_paper_begin(true);
	argv[0] = program_invocation_name;
	memcpy(argv + 1, flags->items, flags->count * sizeof(*argv));
	its.initialize(&argc, argv, NULL); /* which --help alone calls */
	its.make_reporter(&json);
	/* before the first function are two words of the type's description */
	json.functions = its.json_reporter + 2;
	json.is_first = true;
	its.run_with(&json, NULL);
	ba_paper_end(out, &paper);
}

/* A member of an object in an array: its value, and its name before it; NULL: another line. */
static const char *read_member(char *line, char **key)
{
	size_t indent;
	const char *value = ba_printed_member(line, &indent, key);
	return indent == MEMBER_INDENT ? value : NULL;
}

void ba_google_list(ba_strv *names)
{
	BA_AUTO(ba_strv) ba_strv flags = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_strv_push(&flags, "--benchmark_list_tests=true");
	call_library(&text, &flags);
	/* since 2026 as JSON */
	bool json = ba_text_starts(text.data, "{\n");
	for (char *at = text.data, *line; (line = strsep(&at, "\n"));) {
		char *key;
		const char *value = json ? read_member(line, &key) : NULL;
		BA_AUTO_FREE char *name = NULL;
		if (!json)
			name = ba_xstrdup(line);
		else if (value && strcmp(key, "name") == 0)
			name = ba_printed_text(value);
		if (name && *name && !ba_strv_has(names, name))
			ba_strv_push(names, name);
	}
}

/* ---- runs ---- */

BA_OWNS(ba_google_runs, r, BA_FREE(r->rows, r->message),
	BA_DISPOSE(ba_strv, &r->counters, &r->counted))

typedef struct reading {
	ba_google_runs *to;
	ba_google_row row, mean;
	bool is_run, is_mean, has_mean;
	bool at_counters; /* they come last */
} reading;

static void take_counter(ba_google_runs *to, const char *name, const char *value)
{
	BA_AUTO_FREE char *text = ba_printed_text(value);
	if (*value == '"')
		return;
	for (size_t i = 0; i < to->counters.count; i++)
		if (strcmp(to->counters.items[i], name) == 0) {
			if (strcmp(to->counted.items[i], text) != 0)
				*to->counted.items[i] = '\0';
			return;
		}
	ba_strv_push(&to->counters, name);
	ba_strv_push(&to->counted, text);
}

static void end_row(reading *r)
{
	if (r->is_run && r->row.iterations > 0)
		*BA_APPEND(r->to->rows, r->to->count) = r->row;
	if (r->is_mean && !r->has_mean)
		r->mean = r->row;
	r->has_mean = r->has_mean || r->is_mean;
	r->is_run = r->is_mean = r->at_counters = false;
	r->row = (ba_google_row){0};
}

static double unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"\"us\"", 1e3}, {"\"ms\"", 1e6}, {"\"s\"", 1e9}};
	for (size_t i = 0; i < BA_COUNT(units); i++)
		if (ba_text_starts(unit, units[i].name))
			return units[i].ns;
	return 1;
}

static void take_member(reading *r, const char *key, const char *value)
{
	ba_google_row *row = &r->row;
	/* counters of the benchmark come last, and may have any name */
	const struct {
		const char *key;
		double *number;
	} numbers[] = {{"iterations", &row->iterations}, {"real_time", &row->real_ns},
		{"cpu_time", &row->cpu_ns}, {"bytes_per_second", &row->bytes},
		{"items_per_second", &row->items}};
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		if (strcmp(key, numbers[i].key) == 0 && *numbers[i].number == 0) {
			*numbers[i].number = strtod(value, NULL);
			return;
		}
	if (strcmp(key, "name") == 0)
		end_row(r);
	else if (strcmp(key, "run_type") == 0)
		r->is_run = ba_text_starts(value, "\"iteration\"");
	else if (strcmp(key, "aggregate_name") == 0)
		r->is_mean = ba_text_starts(value, "\"mean\"");
	else if (strcmp(key, "time_unit") == 0) {
		row->real_ns *= unit_ns(value);
		row->cpu_ns *= unit_ns(value);
		r->at_counters = true;
	} else if (ba_text_ends(key, "_message") && !r->to->message) {
		r->to->failed = strcmp(key, "error_message") == 0;
		r->to->message = ba_printed_text(value);
	} else if (r->is_run && r->at_counters)
		take_counter(r->to, key, value);
}

int ba_google_read(ba_google_runs *out, ba_buf *printed, const char *name, ba_error *err)
{
	reading r = {.to = out};
	char *text = printed->data;
	for (char *line; (line = strsep(&text, "\n"));) {
		char *key;
		const char *value = read_member(line, &key);
		if (value)
			take_member(&r, key, value);
	}
	end_row(&r);
	/* ReportAggregatesOnly(): the runs are not printed */
	if (!out->count && r.has_mean)
		*BA_APPEND(out->rows, out->count) = r.mean;
	if (out->count || out->message)
		return 0;
	return ba_fail(err, BA_EVARIANT, "the program reports nothing about '%s'", name);
}

/* Matches the name alone, in the syntax of POSIX and of ECMAScript. */
static char *filter_of(const char *name)
{
	ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "--benchmark_filter=^");
	for (; *name; name++) {
		if (strchr("\\^$.|?*+()[]{}", *name))
			ba_buf_putc(&text, '\\');
		ba_buf_putc(&text, *name);
	}
	ba_buf_putc(&text, '$');
	return ba_buf_detach(&text);
}

int ba_google_run(ba_google_runs *out, const char *name, uint64_t iterations, unsigned runs,
	double iteration_ns, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv flags = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_STRV_PUSH(&flags, "--benchmark_list_tests=false",
		"--benchmark_out=", "--benchmark_report_aggregates_only=false",
		"--benchmark_display_aggregates_only=false", "--benchmark_dry_run=false",
		"--benchmark_enable_random_interleaving=false", "--benchmark_min_warmup_time=0",
		"--benchmark_perf_counters=");
	ba_strv_push_take(&flags, filter_of(name));
	ba_strv_printf(&flags, "--benchmark_repetitions=%u", runs);
	put_iterations(&flags, iterations, iteration_ns);
	forced_iterations = iterations;
	int64_t start = ba_now_ns();
	call_library(&text, &flags);
	out->wall_ns = (uint64_t)(ba_now_ns() - start);
	forced_iterations = 0;
	return ba_google_read(out, &text, name, err);
}

/* Before 1.8 a minimal time in the source makes several runs of each. */
bool ba_google_can_step(const char *name)
{
	bool exact = !its.old_constructor || (old_state && !strstr(name, "/min_time:"));
	return exact && ba_google_loop_known() && !strstr(name, "/threads:");
}
