/* A call of the driver that fails: the run says whose call it was, ends by 125 or goes
 * on without it, and is never green with a result missing. The next run works.
 *
 * BA_DRIVER_FAULTS=all: every function of the table and more calls of each, which takes
 * an hour (tests/faults/driver_table.sh); else a short selection. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"
#include "base/text.h"
#include "gpu/driver_table.h"

TEST_GROUP(e2e_set_up, NULL);

/* The n-th call of `call` fails; 0: every one. */
static void fail_call(const char *call, unsigned n, unsigned result)
{
	BA_AUTO_FREE char *script =
		n ? at("launch_ns=0;clock_ns=25;call_ns=10;fail=%s@%u:%u", call, n, result)
		  : at("launch_ns=0;clock_ns=25;call_ns=10;fail=%s:%u", call, result);
	e2e_env("BA_FAKE_CUDA", script);
}

/* The launches of a run come by turns from variants and floor, so that every few
 * hundred is the floor's. */
TEST(a_floor_that_fails_is_nobodys_fault)
{
	e2e t = e2e_begin();
	unsigned floors = 0;
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "other", "cost101");
	for (unsigned n = 2100; n < 10000; n += 790) {
		fail_call("cuLaunchKernel", n, 1);
		e2e_against(&t, "good", "other");
		if (!strstr(t.err, "the floor (a bare launch by the tool)"))
			continue;
		floors++;
		assert_status(&t, 125);
		assert_has(t.err, "CUDA_ERROR_INVALID_VALUE");
		assert_null(strstr(t.err, "good failed"));
		assert_null(strstr(t.err, "other failed"));
		assert_null(t.doc);
	}
	assert_true(floors > 0);
	e2e_env("BA_FAKE_CUDA", NULL);
	e2e_against(&t, "good", "other");
	assert_status(&t, 0);
	e2e_end(&t);
}

/* ---- every function ---- */

typedef struct kind {
	const char *name, *config, *library, *other, *metrics, *engine;
} kind;

#define LAUNCH                                                                       \
	"{\"build\": {" E2E_BUILD "}, \"suites\": {\"s\": {\"kind\": \"launcher\", " \
	"\"library\": \"launcher.so\", \"args\": [1]}}}\n"
#define PLUGIN                                                                     \
	"{\"build\": {" E2E_BUILD "}, \"suites\": {\"s\": {\"kind\": \"plugin\", " \
	"\"library\": \"launcher.so\", \"warm_up\": 20, \"iterations\": 80}}}\n"

static const kind kinds[] = {
	{"launcher duet", LAUNCH, "cost100", "cost101", "submit", "duet"},
	{"launcher split", LAUNCH, "cost100", "cost101", "submit", "split"},
	{"plugin duet", PLUGIN, "plugin20000", "plugin20200", "gpu_cold,wall_hot", "duet"},
	{"plugin split", PLUGIN, "plugin20000", "plugin20200", "gpu_cold,wall_hot", "split"},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *const symbols[] = {
#define ROW(field, symbol, suffix, version, need, params) #symbol,
	BA_DRIVER_TABLE(ROW)
#undef ROW
};
#define SYMBOLS (sizeof(symbols) / sizeof(symbols[0]))

typedef struct tally {
	unsigned runs, green, refused, tools, variants;
} tally;

/* A variant can fail by what its own functions say, by a context that it lost, or by
 * what the driver reports of the work that it queued, when that is waited for. */
static bool is_the_variants(const char *failure)
{
	return strstr(failure, "() returned ") || strstr(failure, "context is lost") ||
	       strstr(failure, "the driver reports ");
}

/* "" where the run is as it must be, or what is wrong with it. */
static const char *fault_of(e2e *t, tally *sum)
{
	sum->runs++;
	if (t->signal || (t->status != 0 && t->status != 125))
		return "it crashed, or its status is neither 0 nor 125";
	if (t->seconds > 100)
		return "it took longer than a hang";
	if (t->status == 125 && !*t->err && !*t->out)
		return "it says nothing";
	if (!t->doc) {
		sum->tools++;
		return t->status == 125 && strstr(t->err, "bench-against: ")
			       ? ""
			       : "no results, and no sentence";
	}
	size_t series = e2e_count(t, "series");
	for (size_t i = 0; i < series; i++) {
		for (unsigned v = 0; v < 2; v++) {
			BA_AUTO_FREE char *path = at("series.%zu.variants.%u.failure", i, v);
			const char *failure = e2e_text(t, path);
			if (*failure && t->status == 0)
				return "green with a variant that failed";
			if (*failure && !is_the_variants(failure))
				return "the tool's own call is held against a variant";
			sum->variants += *failure != '\0';
		}
		BA_AUTO_FREE char *role = at("series.%zu.role", i);
		if (strcmp(e2e_text(t, role), "verdict") != 0)
			continue;
		BA_AUTO_FREE char *path = at("series.%zu.comparisons.0.verdict", i);
		BA_AUTO_FREE char *samples = at("series.%zu.samples", i);
		const char *verdict = e2e_text(t, path);
		if (t->status == 0 && strcmp(verdict, "unchanged") && strcmp(verdict, "identical"))
			return "green without a verdict";
		if (t->status == 0 && !strcmp(verdict, "unchanged") && e2e_count(t, samples) != 4)
			return "green with samples missing";
	}
	if (t->status == 0 && series == 0)
		return "green without a series";
	sum->green += t->status == 0;
	sum->refused += t->status == 125;
	return "";
}

static unsigned run_fault(
	e2e *t, const kind *k, const char *call, unsigned n, unsigned result, tally *sum)
{
	if (call)
		fail_call(call, n, result);
	else
		e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=25;call_ns=10");
	e2e_against(t, "--metrics", k->metrics, "--engine", k->engine, "--hang-after", "300s",
		"--threshold", "5%", "good", "other");
	const char *fault = fault_of(t, sum);
	if (*fault)
		print_message("%s, %s@%u:%u: status %d: %s\n%s%s\n", k->name,
			call ? call : "nothing", n, result, t->status, fault, t->out, t->err);
	return *fault != '\0';
}

static e2e begin(const kind *k)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *config = at("%s/.bench-against.json", t.repo);
	assert_false(ba_fs_write(config, k->config, strlen(k->config), 0644, NULL));
	e2e_commit(&t, "good", k->library);
	e2e_commit(&t, "other", k->other);
	return t;
}

static void check_kind(const kind *k, const char *const *calls, size_t count,
	const unsigned *at_calls, size_t at_count)
{
	static const unsigned results[] = {1, 700};
	unsigned bad = 0;
	tally sum = {0};
	e2e t = begin(k);
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < at_count; n++)
			for (size_t r = 0; r < 2; r++)
				bad += run_fault(
					&t, k, calls[i], at_calls[n], results[(n + r) % 2], &sum);
	/* what failed has left nothing that the next run stumbles over */
	bad += run_fault(&t, k, NULL, 0, 0, &sum);
	assert_status(&t, 0);
	print_message("%s: %u runs, %u green, %u refused by a verdict, %u by the tool's "
		      "own error, %u failures of variants, %u wrong\n",
		k->name, sum.runs, sum.green, sum.refused, sum.tools, sum.variants, bad);
	e2e_end(&t);
	assert_int_equal(bad, 0);
}

enum { CALLS_MOST = 8 };

/* "1,2,40" of BA_DRIVER_AT; how many */
static size_t read_calls(unsigned out[CALLS_MOST], const char *text)
{
	size_t count = 0;
	for (char *end; *text && count < CALLS_MOST; text = *end ? end + 1 : end)
		out[count++] = (unsigned)strtoul(text, &end, 10);
	return count;
}

TEST(any_call_that_fails_is_said_and_never_green)
{
	static const char *const few[] = {"cuInit", "cuMemAlloc", "cuModuleLoadData",
		"cuCtxGetCurrent", "cuStreamSynchronize", "cuMemcpyDtoH"};
	static const unsigned few_calls[] = {1, 3};
	unsigned many_calls[CALLS_MOST];
	const char *at_calls = getenv("BA_DRIVER_AT");
	size_t many = read_calls(many_calls, at_calls ? at_calls : "0,1,2,3,7,40,300,2500");
	const char *mode = getenv("BA_DRIVER_FAULTS");
	const char *only = getenv("BA_DRIVER_KIND");
	const char *const call[] = {getenv("BA_DRIVER_CALL")};
	for (size_t i = 0; i < KINDS; i++) {
		if (only && strcmp(only, kinds[i].name))
			continue;
		if (*call)
			check_kind(&kinds[i], call, 1, many_calls, many);
		else if (mode && strcmp(mode, "all") == 0)
			check_kind(&kinds[i], symbols, SYMBOLS, many_calls, many);
		else if (only || i % 2 == 0)
			check_kind(&kinds[i], few, sizeof(few) / sizeof(few[0]), few_calls, 2);
	}
}

TEST(the_tools_own_call_while_it_measures_is_nobodys_fault)
{
	static const char *const call[] = {"cuCtxGetCurrent"};
	static const unsigned at[] = {40};
	for (size_t i = 0; i < KINDS; i++)
		if (strncmp(kinds[i].name, "plugin", 6) == 0)
			check_kind(&kinds[i], call, 1, at, 1);
}
