#include "mini_host.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/half.h"

enum { GUARD = 256, MOST_BLOCKS = 256, PIECE = 1 << 20 };

typedef struct block {
	uint64_t base, address;
	size_t bytes;
	ba_suite_memory kind;
	char name[32];
} block;

/* suite.h's functions have no context: this is it */
static struct {
	const ba_suite *suite;
	ba_suite_session *session;
	ba_suite_host host;
	void *(*symbol)(const char *name);
	int (*alloc)(uint64_t *out, size_t bytes);
	int (*release)(uint64_t address);
	int (*set_bytes)(uint64_t to, unsigned char value, size_t bytes);
	int (*download)(void *to, uint64_t from, size_t bytes);
	int (*wait)(void *stream);
	int (*event_create)(void **out, unsigned flags);
	int (*event_record)(void *event, void *stream);
	int (*event_elapsed)(float *ms, void *begin, void *end);
	block blocks[MOST_BLOCKS];
	unsigned block_count;
	bool skipped;
	mini_result *result;
} mini;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(mini.result->sentence, sizeof(mini.result->sentence), format, args);
	va_end(args);
}

static void wrong(const char *what)
{
	const char *better = mini.suite->last_error(mini.session);

	mini.result->outcome = MINI_WRONG;
	if (better && *better)
		say("%s: %s", what, better);
	else if (!mini.result->sentence[0])
		say("%s", what);
}

/* ---- what the suite calls ---- */

static void host_log(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

static void host_count(ba_suite_count what, double amount)
{
	mini.result->counts[what] = amount;
}

static void host_use_stream(ba_suite_stream stream)
{
	(void)stream;
}

static int host_skip(const char *reason)
{
	mini.skipped = true;
	say("%s", reason);
	return -1;
}

static int host_alloc(uint64_t *address, size_t bytes, ba_suite_memory kind, const char *name)
{
	/* the second guard begins right behind the last byte */
	const size_t all = GUARD + bytes + GUARD;
	block *b = &mini.blocks[mini.block_count];
	int rc;

	if (mini.block_count == MOST_BLOCKS)
		return 2; /* CUDA_ERROR_OUT_OF_MEMORY */
	rc = mini.alloc(&b->base, all);
	if (rc)
		return rc;
	mini.block_count++;
	*address = b->address = b->base + GUARD;
	b->bytes = bytes;
	b->kind = kind;
	snprintf(b->name, sizeof(b->name), "%s", name);
	return mini.set_bytes(b->base, 0xff, all);
}

static const size_t type_bytes[] = {2, 2, 4, 8, 4, 4};

static double number_at(const unsigned char *at, uint32_t type)
{
	union {
		uint16_t half;
		float single;
		double twice;
		int32_t whole;
		uint32_t natural;
	} v = {.twice = 0};

	memcpy(&v, at, type_bytes[type]);
	switch (type) {
	case BA_SUITE_F16:
		return fp16_to_float(v.half);
	case BA_SUITE_BF16:
		return bf16_to_float(v.half);
	case BA_SUITE_F32:
		return v.single;
	case BA_SUITE_F64:
		return v.twice;
	case BA_SUITE_I32:
		return v.whole;
	default:
		return v.natural;
	}
}

static int host_compare(const ba_suite_output *o)
{
	const size_t bytes = o->count * type_bytes[o->type];
	unsigned char *is = malloc(bytes);
	double off = 0, size = 0;
	int rc = is ? mini.download(is, o->address, bytes) : 2;

	for (size_t i = 0; i < o->count && !rc; i++) {
		double value = number_at(is + i * type_bytes[o->type], o->type);
		double error = fabs(value - o->expected[i]);
		double limit = o->absolute + o->relative * fabs(o->expected[i]);

		/* not (error > limit): NaN is wrong */
		if (!(error <= limit)) {
			say("%s[%zu] is %.9g, not %.9g (allowed: %.3g off)", o->name, i, value,
				o->expected[i], limit);
			rc = -1;
		}
		if (error > mini.result->worst)
			mini.result->worst = error;
		if (limit > mini.result->limit)
			mini.result->limit = limit;
		off += error * error;
		size += o->expected[i] * o->expected[i];
	}
	if (!rc && o->l2 > 0 && !(sqrt(off) <= o->l2 * sqrt(size))) {
		say("%s: relative error %.3g, allowed %.3g", o->name, sqrt(off / size), o->l2);
		rc = -1;
	}
	free(is);
	return rc;
}

/* ---- opening ---- */

const char *mini_open(
	const ba_suite *suite, void *(*symbol)(const char *name), int sm_arch, int device)
{
	const struct {
		void *field;
		const char *name;
	} rows[] = {
		{&mini.alloc, "cuMemAlloc"},
		{&mini.release, "cuMemFree"},
		{&mini.set_bytes, "cuMemsetD8"},
		{&mini.download, "cuMemcpyDtoH"},
		{&mini.wait, "cuStreamSynchronize"},
		{&mini.event_create, "cuEventCreate"},
		{&mini.event_record, "cuEventRecord"},
		{&mini.event_elapsed, "cuEventElapsedTime"},
	};

	memset(&mini, 0, sizeof(mini));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		*(void **)rows[i].field = symbol(rows[i].name);
	mini.suite = suite;
	mini.host = (ba_suite_host){.abi = BA_SUITE_ABI,
		.struct_size = sizeof(mini.host),
		.device = device,
		.sm_arch = sm_arch,
		.driver_symbol = symbol,
		.log = host_log,
		.count = host_count,
		.use_stream = host_use_stream,
		.skip = host_skip,
		.alloc = host_alloc,
		.compare = host_compare};
	if (suite->open(&mini.session, &mini.host) != 0)
		return suite->last_error(mini.session);
	return NULL;
}

void mini_close(void)
{
	mini.suite->close(mini.session);
}

/* ---- cases ---- */

static void set_value(mini_case *c, uint32_t axis, const char *text, size_t length)
{
	snprintf(c->text[axis], sizeof(c->text[axis]), "%.*s", (int)length, text);
	c->values[axis].text = c->text[axis];
	c->values[axis].integer = strtoll(c->text[axis], NULL, 10);
	c->values[axis].real = strtod(c->text[axis], NULL);
}

/* the value that "B=32,H=8" has for an axis, or NULL */
static const char *find_value(const char *point, const char *axis, size_t *length)
{
	const size_t name = strlen(axis);

	while (point && *point) {
		size_t word = strcspn(point, ",");

		if (strncmp(point, axis, name) == 0 && point[name] == '=') {
			*length = word - name - 1;
			return point + name + 1;
		}
		point += word + (point[word] == ',');
	}
	return NULL;
}

typedef struct walk {
	const char *const *words;
	void (*each)(const mini_case *c, void *context);
	void *context;
} walk;

static void finish(mini_case *c, const walk *w)
{
	size_t used = (size_t)snprintf(c->id, sizeof(c->id), "%s", c->benchmark->name);
	bool wanted = !w->words || !w->words[0];

	for (uint32_t i = 0; i < c->benchmark->axis_count; i++)
		used += (size_t)snprintf(c->id + used, sizeof(c->id) - used, "%c%s=%s",
			i ? ',' : '/', c->benchmark->axes[i].name, c->text[i]);
	for (size_t i = 0; w->words && w->words[i]; i++)
		wanted |= strstr(c->id, w->words[i]) != NULL;
	if (wanted)
		w->each(c, w->context);
}

/* all values of the axes from `axis` on that the point does not have */
static void combine(mini_case *c, const char *point, uint32_t axis, const walk *w)
{
	const ba_suite_axis *a = &c->benchmark->axes[axis];
	const char *value;
	size_t length;

	if (axis == c->benchmark->axis_count) {
		finish(c, w);
		return;
	}
	value = find_value(point, a->name, &length);
	if (value) {
		set_value(c, axis, value, length);
		combine(c, point, axis + 1, w);
		return;
	}
	for (size_t i = 0; a->values[i]; i++) {
		set_value(c, axis, a->values[i], strlen(a->values[i]));
		combine(c, point, axis + 1, w);
	}
}

/* every "axis=" of the point is one of the benchmark's, and it names all that are
 * integers */
static bool fits(const ba_suite_benchmark *b, const char *point)
{
	size_t named = 0, known = 0, length;

	for (const char *at = point; *at; at++)
		named += *at == '=';
	for (uint32_t i = 0; i < b->axis_count; i++) {
		const bool has = find_value(point, b->axes[i].name, &length) != NULL;

		known += has;
		if (!has && b->axes[i].kind == BA_SUITE_INTEGER)
			return false;
	}
	return named == known;
}

void mini_each(const ba_suite *suite, const char *const *words, const char *const *instead,
	void (*each)(const mini_case *c, void *context), void *context)
{
	const walk w = {words, each, context};

	for (uint32_t i = 0; i < suite->benchmark_count; i++) {
		const ba_suite_benchmark *b = &suite->benchmarks[i];
		const char *const *points = instead ? instead : b->points;
		mini_case c = {.benchmark = b};

		if (!points)
			combine(&c, NULL, 0, &w);
		for (size_t p = 0; points && points[p]; p++)
			if (!instead || fits(b, points[p]))
				combine(&c, points[p], 0, &w);
	}
}

/* ---- one case ---- */

static void poison_outputs(void)
{
	for (unsigned i = 0; i < mini.block_count; i++)
		if (mini.blocks[i].kind != BA_SUITE_INPUT)
			mini.set_bytes(mini.blocks[i].address, 0xff, mini.blocks[i].bytes);
}

static bool guards_whole(void)
{
	unsigned char guard[2 * GUARD];

	for (unsigned i = 0; i < mini.block_count; i++) {
		const block *b = &mini.blocks[i];

		if (mini.download(guard, b->base, GUARD) ||
			mini.download(guard + GUARD, b->address + b->bytes, GUARD))
			return false;
		for (size_t at = 0; at < sizeof(guard); at++)
			if (guard[at] != 0xff) {
				say("something was written %s the %zu bytes of %s",
					at < GUARD ? "before" : "behind", b->bytes, b->name);
				return false;
			}
	}
	return true;
}

/* FNV-1a of all outputs: do two runs leave the same bits? */
static uint64_t outputs_hash(void)
{
	uint64_t hash = 14695981039346656037u;
	unsigned char *piece = malloc(PIECE);

	for (unsigned i = 0; piece && i < mini.block_count; i++) {
		const block *b = &mini.blocks[i];

		for (size_t at = 0; b->kind == BA_SUITE_OUTPUT && at < b->bytes; at += PIECE) {
			size_t n = b->bytes - at < PIECE ? b->bytes - at : PIECE;

			if (mini.download(piece, b->address + at, n))
				hash = 0;
			for (size_t j = 0; j < n; j++)
				hash = (hash ^ piece[j]) * 1099511628211u;
		}
	}
	free(piece);
	return hash;
}

static bool run_once(ba_suite_case *c, const mini_case *which, unsigned set)
{
	const ba_suite_run run = {BA_SUITE_ABI, sizeof(run), NULL, set};

	if (which->benchmark->run(c, &run) != 0 || mini.wait(NULL) != 0) {
		wrong("run");
		return false;
	}
	return true;
}

static bool check_set(ba_suite_case *c, const mini_case *which, unsigned set,
	void (*spoil)(uint64_t address, size_t bytes))
{
	uint64_t hash;

	poison_outputs();
	if (!run_once(c, which, set))
		return false;
	for (unsigned i = 0; spoil && i < mini.block_count; i++)
		if (mini.blocks[i].kind != BA_SUITE_INPUT)
			spoil(mini.blocks[i].address, mini.blocks[i].bytes);
	if (which->benchmark->check && which->benchmark->check(c) != 0) {
		wrong("check");
		return false;
	}
	hash = outputs_hash();
	poison_outputs();
	if (!run_once(c, which, set))
		return false;
	if (outputs_hash() != hash) {
		wrong("two runs leave different bits");
		return false;
	}
	if (!guards_whole()) {
		wrong("guards");
		return false;
	}
	return true;
}

static int compare_seconds(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void time_runs(ba_suite_case *c, const mini_case *which, unsigned runs)
{
	double *seconds = calloc(runs, sizeof(*seconds));
	void *begin = NULL, *end = NULL;
	float ms = 0;
	const ba_suite_run run = {BA_SUITE_ABI, sizeof(run), NULL, 0};

	for (unsigned i = 0; i < runs / 4 + 1; i++) /* clocks up, caches warm */
		which->benchmark->run(c, &run);
	if (mini.event_create(&begin, 0) == 0 && mini.event_create(&end, 0) == 0) {
		mini.event_record(begin, NULL);
		for (unsigned i = 0; i < runs; i++)
			which->benchmark->run(c, &run);
		mini.event_record(end, NULL);
		if (mini.wait(NULL) == 0 && mini.event_elapsed(&ms, begin, end) == 0)
			mini.result->seconds = (double)ms / 1e3 / runs;
	}
	for (unsigned i = 0; seconds && i < runs; i++) {
		const double start = now();

		which->benchmark->run(c, &run);
		mini.wait(NULL);
		seconds[i] = now() - start;
	}
	if (seconds) {
		qsort(seconds, runs, sizeof(*seconds), compare_seconds);
		mini.result->host_seconds = seconds[runs / 2];
	}
	free(seconds);
}

void mini_try(mini_result *out, const mini_case *which, const mini_options *options,
	void (*spoil)(uint64_t address, size_t bytes))
{
	const ba_suite_setup setup = {.abi = BA_SUITE_ABI,
		.struct_size = sizeof(setup),
		.values = which->values,
		.value_count = which->benchmark->axis_count,
		.sets = which->benchmark->rotates ? options->sets : 1,
		.seed = options->seed};
	ba_suite_case *c = NULL;
	bool good = true;

	memset(out, 0, sizeof(*out));
	mini.result = out;
	mini.skipped = false;
	mini.block_count = 0;
	if (which->benchmark->setup(&c, mini.session, &setup) != 0) {
		if (mini.skipped)
			out->outcome = MINI_SKIPPED;
		else
			wrong("setup");
		good = false;
	}
	if (good && options->once)
		good = run_once(c, which, 0);
	for (unsigned set = 0; good && !options->once && set < setup.sets; set++)
		good = check_set(c, which, set, spoil);
	if (good && options->time_runs)
		time_runs(c, which, options->time_runs);
	if (c)
		which->benchmark->teardown(c);
	for (unsigned i = 0; i < mini.block_count; i++)
		mini.release(mini.blocks[i].base);
}
