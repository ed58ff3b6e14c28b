/*
 * A plugin suite with one benchmark: a launch through LC-S, whose kernel depends on the launch
 * configuration. Its first call in a process compiles the kernel, or finds it in the disk cache:
 *
 *     bench-against HEAD~ HEAD --metrics first_call,first_call_cached
 *
 * bench-against sets LAUNCHCFG_CACHE_DIR: an empty folder for each start, or the one that the last
 * start of the variant has filled. It is of use for code that launches through launchcfg, and to see
 * what the cache saves.
 *
 *     cc -O2 -fPIC -shared -o libfirst.so first_launch.c -llaunchcfg -ldl
 */
#include <stdlib.h>

#include <bench_against/suite.h>
#include <launchcfg/launchcfg.h>

struct ba_suite_session {
	lcfg_driver *driver;
	lcfg_error error;
};

struct ba_suite_case {
	ba_suite_session *session;
	lcfg_dispatcher *dispatcher;
	uint64_t out; /* device address */
};

static const ba_suite_host *host;

static int generate(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = NULL;
	(void)what;
	int rc = lcfg_ensure_current_config(&config, err);
	if (rc)
		return rc;
	return lcfg_emit(out,
		"#define BLOCK %u\n"
		"extern \"C\" __global__ void __launch_bounds__(BLOCK) number(unsigned *out) {\n"
		"  out[threadIdx.x] = threadIdx.x %% (BLOCK / 2);\n"
		"}\n",
		lcfg_config_shape(config)->block.x);
}

static int my_open(ba_suite_session **out, const ba_suite_host *h)
{
	ba_suite_session *s = calloc(1, sizeof(*s));
	host = h;
	*out = s;
	lcfg_driver_options options = {.symbol = h->driver_symbol};
	return s ? lcfg_driver_open(&s->driver, &options, &s->error) : LCFG_ENOMEM;
}

static int my_setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	static const lcfg_type types[] = {LCFG_PTR_U32};
	ba_suite_case *c = calloc(1, sizeof(*c));
	lcfg_cache *cache = NULL;
	(void)q;
	*out = c;
	if (!c)
		return LCFG_ENOMEM;
	c->session = s;
	int rc = lcfg_cache_open(&cache, NULL, &s->error);
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = s->driver,
		.name = "number",
		.generate = generate,
		.revision = "first_launch 1",
		.specialised = 1,
		.signature = {types, 1},
		.cache = cache};
	rc = rc ? rc : lcfg_dispatcher_new(&c->dispatcher, &desc, &s->error);
	lcfg_cache_free(cache);
	return rc ? rc : host->alloc(&c->out, 256 * sizeof(unsigned), BA_SUITE_OUTPUT, "out");
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	void *args[] = {&c->out};
	const lcfg_shape shape = {.grid = {1}, .block = {256}, .stream = run->stream};
	lcfg_config *config = NULL;
	lcfg_error *err = &c->session->error;
	int rc = lcfg_configure(&config, c->dispatcher, &shape, err);
	rc = rc ? rc : lcfg_launch(config, args, err);
	lcfg_config_free(config);
	return rc;
}

static void my_teardown(ba_suite_case *c)
{
	lcfg_dispatcher_free(c->dispatcher);
	free(c);
}

static void my_close(ba_suite_session *s)
{
	lcfg_driver_free(s->driver);
	free(s);
}

static const char *my_error(ba_suite_session *s)
{
	return s->error.text;
}

static const ba_suite_benchmark benchmarks[] = {{"first_launch", "a launch through LC-S", NULL, 0,
	0, NULL, my_setup, my_run, NULL, my_teardown}};
static const ba_suite table = {BA_SUITE_ABI, sizeof(ba_suite), "first_launch", benchmarks, 1,
	sizeof(ba_suite_benchmark), my_open, my_close, my_error};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	return host_abi == BA_SUITE_ABI ? &table : NULL;
}
