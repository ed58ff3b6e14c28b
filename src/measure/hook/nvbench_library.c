#include "hook/nvbench_library.h"

#include <dlfcn.h>
#include <setjmp.h>

#include "hook/printed.h"
#include "hook/symbols.h"

#define PARSER_BYTES 8192 /* an option_parser has about 400 */
#define CRITERIA_MOST 16u
#define DO_RUN 4 /* its number among the virtual functions of a benchmark */

/* ---- objects of C++ ---- */

typedef struct cxx_string {
	char *text;
	size_t size;
	char own[16]; /* short texts, or the capacity */
} cxx_string;

typedef struct cxx_vector {
	char *begin, *end, *limit;
} cxx_vector;

static struct {
	ba_detour parse, parse_argv, prologue, quit;
	ba_detour turn[CRITERIA_MOST], sample[CRITERIA_MOST], amount[BA_NVBENCH_AMOUNTS];
	size_t turns, samples;
	void (*construct)(void *parser);
	void (*destroy)(void *parser);
	void *(*printer)(void *parser);
	void (*print_results)(void *printer, const cxx_vector *benchmarks);
	cxx_string (*describe)(const void *state, bool colour);
	void *(*allocate)(size_t size);
	const ba_nvbench_calls *calls;
	jmp_buf way_out;
	bool asks; /* only whether the state that is about to run uses a GPU */
	bool gpu;
} its;

/* By value as C++ passes them: memory of the program's own operator new. */
static cxx_vector vector_of(const ba_strv *texts)
{
	cxx_string *items = its.allocate(texts->count * sizeof(*items));
	for (size_t i = 0; i < texts->count; i++) {
		size_t size = strlen(texts->items[i]);
		items[i] = (cxx_string){.text = items[i].own, .size = size};
		if (size >= sizeof(items[i].own)) {
			items[i].text = its.allocate(size + 1);
			memcpy(items[i].own, &size, sizeof(size));
		}
		memcpy(items[i].text, texts->items[i], size + 1);
	}
	char *end = (char *)(items + texts->count);
	return (cxx_vector){(char *)items, end, end};
}

/* ---- in the place of NVBench's functions ---- */

static void serve(const ba_strv *arguments)
{
	ba_detour_remove(&its.parse);
	ba_detour_remove(&its.parse_argv);
	its.calls->serve(arguments);
	abort();
}

BA_DETOUR_TARGET static void on_parse(void *parser, const cxx_vector *arguments)
{
	BA_AUTO(ba_strv) ba_strv texts = {0};
	const cxx_string *end = (const cxx_string *)(void *)arguments->end;
	for (const cxx_string *s = (const cxx_string *)(void *)arguments->begin; s < end; s++)
		ba_strv_push(&texts, s->text);
	serve(&texts);
}

BA_DETOUR_TARGET static void on_parse_argv(void *parser, int argc, char *const *argv)
{
	BA_AUTO(ba_strv) ba_strv texts = {0};
	for (int i = 0; i < argc; i++)
		ba_strv_push(&texts, argv[i]);
	serve(&texts);
}

BA_DETOUR_TARGET static bool on_turn(void *criterion)
{
	return its.calls->turn();
}

BA_DETOUR_TARGET static void on_sample(void *criterion, double seconds)
{
	its.calls->sample(seconds);
}

/* The name of the column is passed on. */
static void pass_amount(ba_nvbench_amount what, void *state, size_t amount, void *name)
{
	ba_detour_remove(&its.amount[what]);
	((void (*)(void *, size_t, void *))its.amount[what].from)(state, amount, name);
	ba_detour_set(&its.amount[what]);
	its.calls->amount(what, amount);
}

BA_DETOUR_TARGET static void on_elements(void *state, size_t amount, void *name)
{
	pass_amount(BA_NVBENCH_ELEMENTS, state, amount, name);
}
BA_DETOUR_TARGET static void on_read(void *state, size_t amount, void *name)
{
	pass_amount(BA_NVBENCH_READ, state, amount, name);
}
BA_DETOUR_TARGET static void on_written(void *state, size_t amount, void *name)
{
	pass_amount(BA_NVBENCH_WRITTEN, state, amount, name);
}

/* The first state is about to run, and its device is active. */
BA_DETOUR_TARGET static void on_prologue(void *runner, const void *state)
{
	if (!its.asks) {
		its.calls->begins();
		ba_detour_remove(&its.prologue);
		((void (*)(void *, const void *))its.prologue.from)(runner, state);
		return;
	}
	cxx_string name = its.describe(state, false);
	its.gpu = ba_text_starts(name.text, "Device=");
	longjmp(its.way_out, 1);
}

BA_DETOUR_TARGET static void on_exit_call(int status)
{
	longjmp(its.way_out, 1);
}

/* ---- finding them ---- */

#define MEMBER(class, name) "_ZN7nvbench" class name
#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define BENCHMARKS "RKSt6vectorISt10unique_ptrINS_14benchmark_baseESt14default_deleteIS3_EESaIS6_EE"

static void note_function(const char *name, void *address, bool has_room)
{
	const struct {
		const char *name;
		void *to;      /* a pointer that gets the address */
		bool replaced; /* so it needs room for a jump */
	} rows[] = {
		{MEMBER("13option_parser", "5parseESt6vectorI" STRING "SaIS7_EE"), &its.parse.from,
			true},
		{MEMBER("13option_parser", "5parseEiPKPKc"), &its.parse_argv.from, true},
		{MEMBER("13option_parser", "C1Ev"), &its.construct},
		{MEMBER("13option_parser", "C2Ev"), &its.construct},
		{MEMBER("13option_parser", "D1Ev"), &its.destroy},
		{MEMBER("13option_parser", "D2Ev"), &its.destroy},
		{MEMBER("13option_parser", "11get_printerEv"), &its.printer},
		{MEMBER("17printer_multiplex", "26do_print_benchmark_resultsE" BENCHMARKS),
			&its.print_results},
		{"_ZNK7nvbench5state25get_axis_values_as_stringB5cxx11Eb", &its.describe},
		{"_ZNK7nvbench11runner_base18run_state_prologueERNS_5stateE", &its.prologue.from,
			true},
		{MEMBER("5state", "17add_element_countEm" STRING),
			&its.amount[BA_NVBENCH_ELEMENTS].from, true},
		{MEMBER("5state", "23add_global_memory_readsEm" STRING),
			&its.amount[BA_NVBENCH_READ].from, true},
		{MEMBER("5state", "24add_global_memory_writesEm" STRING),
			&its.amount[BA_NVBENCH_WRITTEN].from, true},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if ((has_room || !rows[i].replaced) && strcmp(name, rows[i].name) == 0)
			memcpy(rows[i].to, &address, sizeof(address));
}

static void add_detour(ba_detour *all, size_t *count, void *from, void *to)
{
	if (*count < CRITERIA_MOST && !BA_ANY(all, *count, one, one->from == from))
		all[(*count)++] = (ba_detour){.from = from, .to = to};
}

/* Criteria are NVBench's or the program's, in any namespace. */
static void note(void *data, const char *name, void *address, bool has_room)
{
	note_function(name, address, has_room);
	if (!has_room || !ba_text_starts(name, "_ZN"))
		return;
	if (ba_text_ends(name, "14do_is_finishedEv"))
		add_detour(its.turn, &its.turns, address, (void *)on_turn);
	else if (ba_text_ends(name, "18do_add_measurementEd"))
		add_detour(its.sample, &its.samples, address, (void *)on_sample);
}

bool ba_nvbench_find_functions(void)
{
	ba_symbols_each(note, NULL);
	its.parse.to = (void *)on_parse;
	its.parse_argv.to = (void *)on_parse_argv;
	its.prologue.to = (void *)on_prologue;
	its.quit = (ba_detour){dlsym(RTLD_DEFAULT, "exit"), (void *)on_exit_call, {0}};
	its.amount[BA_NVBENCH_ELEMENTS].to = (void *)on_elements;
	its.amount[BA_NVBENCH_READ].to = (void *)on_read;
	its.amount[BA_NVBENCH_WRITTEN].to = (void *)on_written;
	void *allocate = dlsym(RTLD_DEFAULT, "_Znwm");
	its.allocate = allocate ? (void *(*)(size_t))allocate : malloc;
	return its.parse.from && its.parse_argv.from && its.construct && its.destroy &&
	       its.printer && its.print_results && its.describe && its.prologue.from && its.turns &&
	       its.samples && its.quit.from;
}

static bool set_all(ba_detour *all, size_t count)
{
	return BA_ALL(all, count, one, !one->from || ba_detour_set(one));
}

bool ba_nvbench_take_over(const ba_nvbench_calls *calls)
{
	its.calls = calls;
	return set_all(its.turn, its.turns) && set_all(its.sample, its.samples) &&
	       set_all(its.amount, BA_NVBENCH_AMOUNTS) && set_all(&its.parse, 1) &&
	       set_all(&its.parse_argv, 1);
}

uint64_t ba_nvbench_free_memory(void)
{
	size_t left = 0, all;
	void *driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
	void *info = dlsym(driver ? driver : RTLD_DEFAULT, "cuMemGetInfo_v2");
	bool known = info && ((int (*)(size_t *, size_t *))info)(&left, &all) == 0;
	return known ? left : 0;
}

/* ---- calling them ---- */

static void *new_parser(const ba_strv *arguments)
{
	void *parser = ba_xcalloc(1, PARSER_BYTES);
	cxx_vector texts = vector_of(arguments);
	its.construct(parser);
	((void (*)(void *, cxx_vector *))its.parse.from)(parser, &texts);
	return parser;
}

/* The parser's vector of benchmarks, of which there is one: among its first members, the
 * vector that has one pointer to an object whose first word points to a table. */
static const cxx_vector *benchmarks_of(const void *parser)
{
	const cxx_vector *members = parser;
	for (size_t i = 1; i < 5; i++)
		if (members[i].begin && members[i].end - members[i].begin == sizeof(void *))
			return &members[i];
	return NULL;
}

static void run_benchmark(const cxx_vector *benchmarks)
{
	typedef void run_fn(void *benchmark);
	void *benchmark = *(void **)(void *)benchmarks->begin;
	run_fn *const *functions = *(run_fn *const **)benchmark;
	functions[DO_RUN](benchmark);
}

void ba_nvbench_print(ba_buf *out, const ba_strv *arguments)
{
	const ba_paper paper = ba_paper_begin(true);
	ba_detour_set(&its.quit);
	/* what the parser holds is lost; it is little, and once */
	if (setjmp(its.way_out) == 0)
		new_parser(arguments);
	ba_detour_remove(&its.quit);
	ba_paper_end(out, &paper);
}

bool ba_nvbench_uses_gpu(const ba_strv *arguments)
{
	void *parser = new_parser(arguments);
	const cxx_vector *benchmarks = benchmarks_of(parser);
	its.gpu = false;
	its.asks = true;
	ba_detour_set(&its.prologue);
	if (benchmarks && setjmp(its.way_out) == 0)
		run_benchmark(benchmarks);
	ba_detour_remove(&its.prologue);
	its.asks = false;
	its.destroy(parser);
	free(parser);
	return its.gpu;
}

void ba_nvbench_run(ba_buf *results, const ba_strv *arguments)
{
	BA_AUTO(ba_strv) ba_strv all = {0};
	const ba_paper paper = ba_paper_begin(false);
	ba_strv_copy(&all, arguments);
	ba_strv_push(&all, "--json");
	ba_strv_printf(&all, "/proc/self/fd/%d", paper.fd);
	void *parser = new_parser(&all);
	const cxx_vector *benchmarks = benchmarks_of(parser);
	if (benchmarks) {
		ba_detour_set(&its.prologue);
		run_benchmark(benchmarks);
		ba_detour_remove(&its.prologue);
		its.print_results(its.printer(parser), benchmarks);
	}
	its.destroy(parser);
	free(parser);
	ba_paper_end(results, &paper);
}
