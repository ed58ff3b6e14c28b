/* What workers say to the host: lines that are anything, where answers to requests are
 * awaited. Nothing is started: the link of engine/link.h is the lines themselves. The
 * first byte chooses the kind of suite. Whatever it hears, the host ends with 0 or a
 * sentence, and what it keeps as samples is what results may hold. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/engine.h"
#include "engine/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the link ---- */

struct ba_link {
	int variant;
	bool program;
};

static const char *at, *end;

int ba_link_start(ba_link **out, const ba_link_spec *spec, ba_error *err)
{
	(void)spec, (void)err;
	*out = ba_xcalloc(1, sizeof(**out));
	return 0;
}

int ba_link_start_program(ba_link **out, const ba_link_spec *spec, ba_error *err)
{
	ba_link_start(out, spec, err);
	(*out)->program = true;
	return 0;
}

bool ba_link_is_program(const ba_link *l)
{
	return l->program;
}

int ba_link_hail_program(ba_link *l, ba_error *err)
{
	(void)l, (void)err;
	return 0;
}

int ba_link_hear_hello(ba_link *l, ba_error *err)
{
	(void)l, (void)err;
	return 0;
}

const char *ba_link_program_name(const ba_link *l)
{
	(void)l;
	return "";
}

ba_link_times ba_link_times_of(const ba_link *l)
{
	(void)l;
	return (ba_link_times){0};
}

ba_witness ba_link_witness(const ba_link *l)
{
	(void)l;
	return (ba_witness){0};
}

void ba_link_free(ba_link *l)
{
	free(l);
}

int ba_link_send(ba_link *l, ba_buf *message, ba_error *err)
{
	(void)l, (void)err;
	ba_message_end(message);
	return 0;
}

int ba_link_receive(ba_message *out, ba_link *l, ba_error *err)
{
	(void)l;
	if (at == end)
		return ba_fail(err, BA_EWORKER, "it ended");
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	const char *line = at, *stop = newline ? newline : end;
	at = newline ? newline + 1 : end;
	return ba_message_parse(out, line, (size_t)(stop - line), err);
}

bool ba_link_has_message(ba_link *l)
{
	(void)l;
	return at != end;
}

int ba_link_reject(ba_link *l, ba_error *err, const char *fmt, ...)
{
	(void)l;
	return ba_fail(err, BA_EWORKER, "%s", fmt);
}

void ba_link_ask_to_end(ba_link *l)
{
	(void)l;
}

void ba_link_close(ba_link *l)
{
	(void)l;
}

/* a worker may have written anything into the beacon, too */
ba_link_end ba_link_end_of(const ba_link *l)
{
	return (ba_link_end){.variant = l->variant + (at && at > end - 8 ? 7 : 0)};
}

char *ba_link_end_text(ba_link *l)
{
	(void)l;
	return ba_xstrdup("it ended");
}

/* no process: nothing is mapped */
long ba_link_pid(const ba_link *l)
{
	(void)l;
	return -1;
}

char *ba_link_output(ba_link *l)
{
	(void)l;
	return NULL;
}

/* ---- a run ---- */

enum { VARIANTS = 2, BLOCKS = 2, POSITIONS = 5, READINGS = 2 };

static void demand(int rc, const ba_error *err)
{
	if (rc && !*err->text)
		abort();
}

static void measure(ba_engine *e, ba_failure *f)
{
	BA_AUTO(ba_samples)
	ba_samples s = {.participants = VARIANTS + 1,
		.has_floor = true,
		.positions = POSITIONS,
		.blocks = BLOCKS,
		.readings = READINGS,
		.batch = 4};
	static const uint8_t order[POSITIONS] = {0, 1, 2, 1, 0};
	bool unfit[BLOCKS] = {0};
	ba_clock_report clocks = {.unfit = unfit};
	ba_samples_alloc(&s);
	for (size_t i = 0; i < (size_t)BLOCKS * POSITIONS; i++)
		s.order[i] = order[i % POSITIONS];
	int rc = ba_engine_measure(e, &s, "gpu_cold", 1, &clocks, f);
	demand(rc, f->err);
	for (size_t i = 0; rc == 0 && i < (size_t)BLOCKS * POSITIONS * READINGS; i++)
		if (s.ns[i] == 0)
			abort();
	free(clocks.text);
}

static void run(ba_engine_spec *spec, const ba_benchmark *benchmark)
{
	BA_AUTO(ba_survey)
	ba_survey survey = {.variants = ba_xcalloc(VARIANTS, sizeof(*survey.variants)),
		.variant_count = VARIANTS};
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	ba_error err = {0};
	BA_AUTO(ba_failure) ba_failure failure = {.err = &err};
	const bool wanted[VARIANTS] = {true, true};
	ba_case_facts cases[VARIANTS] = {0};
	int rc = ba_engine_open(&e, spec, wanted, false, &survey, &failure);
	demand(rc, &err);
	if (rc)
		return;
	const ba_prepare p = {
		.benchmark = benchmark, .wanted = wanted, .check = true, .sets = 1, .cases = cases};
	rc = ba_engine_prepare(e, &p, &failure);
	demand(rc, &err);
	for (size_t v = 0; v < VARIANTS; v++)
		ba_case_facts_dispose(&cases[v]);
	if (rc == 0)
		measure(e, &failure);
	if (rc == 0)
		demand(ba_engine_release(e, &failure), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const argv[] = {"x", NULL};
	static const char *const libraries[] = {"/old.so", "/new.so"};
	static const ba_suite_kind kinds[] = {
		BA_SUITE_LAUNCHER, BA_SUITE_PLUGIN, BA_SUITE_WORKER, BA_SUITE_LAUNCHER};
	if (size == 0)
		return 0;
	const ba_program programs[VARIANTS] = {{argv, NULL, "/"}, {argv, NULL, "/"}};
	ba_variant variants[VARIANTS] = {{.label = (char[]){"old"}, .tree_dir = (char[]){"/old"}},
		{.label = (char[]){"new"}, .tree_dir = (char[]){"/new"}}};
	ba_axis axis = {.name = (char[]){"n"}, .value = (char[]){"1"}};
	const ba_benchmark benchmark = {.id = (char[]){"s/b"},
		.suite = (char[]){"s"},
		.name = (char[]){"b"},
		.path = (char[]){"p"},
		.kind = kinds[data[0] % 4],
		.axes = &axis,
		.axis_count = 1};
	ba_engine_spec spec = {.kind = data[0] % 4 == 3 || kinds[data[0] % 4] == BA_SUITE_WORKER
					       ? BA_ENGINE_SPLIT
					       : BA_ENGINE_DUET,
		.target = "fake",
		.worker = "w",
		.driver = "d",
		.cpu = -1,
		.flush = "read",
		.suite = kinds[data[0] % 4],
		.variant_count = VARIANTS,
		.variants = variants,
		.libraries = libraries,
		.programs = kinds[data[0] % 4] == BA_SUITE_WORKER ? programs : NULL,
		.idle_limit_ns = 1};
	at = (const char *)data + 1;
	end = (const char *)data + size;
	run(&spec, &benchmark);
	return 0;
}
