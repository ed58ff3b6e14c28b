/* Two runs at once measure on two cores; where they cannot, the later one says so and
 * goes on. A run that was killed holds nothing. */
#include "e2e.h"

#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "proc/affinity.h"

TEST_GROUP(e2e_set_up, NULL);

/* A second tool beside the first, on the same repository and cache. */
static e2e beside(const e2e *t)
{
	e2e other = {.dir = at("%s/beside", t->dir), .repo = t->repo, .cache = t->cache};
	other.json = at("%s/results.json", other.dir);
	assert_int_equal(ba_fs_mkdirs(other.dir, NULL), 0);
	return other;
}

static void beside_end(e2e *other)
{
	free(other->dir);
	free(other->json);
	free(other->out);
	free(other->err);
	ba_json_free(other->doc);
}

static e2e begin(void)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	return t;
}

/* A run that measures until it is killed; the processor it measures on. */
static int measure_on(e2e *t)
{
	BA_AUTO_FREE char *journal = at("%s.journal", t->json);
	e2e_start_tool(t, "--target", "host", "--fixed", "1000", "--output", t->json, "old", "new");
	for (int i = 0; i < 120000; i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		usleep(5000);
		if (ba_fs_read(&text, journal, 1 << 20, NULL))
			continue;
		const char *cpu = strstr(text.data, "\"pinned_cpu\":");
		if (cpu)
			return atoi(cpu + strlen("\"pinned_cpu\":"));
	}
	fail_msg("no journal after 10 minutes");
	return -1;
}

static void stop_measuring(e2e *t)
{
	kill(t->pid, SIGKILL);
	e2e_wait(t);
}

/* A short run; the processor it measured on. */
#define measured_on(t, ...)                                                                \
	(e2e_tool((t), "--target", "host", "--fixed", "4", "--blocks", "8", "--seed", "7", \
		 "--output", (t)->json, __VA_ARGS__, "old", "new"),                        \
		(int)e2e_number((t), "environment.pinned_cpu"))

/* The best processor and the best of another core; false: there is one core. */
static bool two_cores(int out[2])
{
	ba_cpus core;
	assert_true(ba_affinity_pick(&out[0], NULL, NULL, "/sys"));
	ba_affinity_core(&core, (unsigned)out[0], "/sys");
	return ba_affinity_pick(&out[1], &core, NULL, "/sys");
}

TEST(two_runs_at_once_measure_on_two_cores)
{
	int cpus[2];
	if (!two_cores(cpus)) {
		print_message("this machine has one core\n");
		skip();
	}
	e2e t = begin();
	e2e other = beside(&t);
	assert_int_equal(measure_on(&t), cpus[0]);
	assert_int_equal(measured_on(&other, "--no-build"), cpus[1]);
	assert_null(strstr(other.out, "another run"));
	/* what is asked for stays, and is told */
	BA_AUTO_FREE char *number = at("%d", cpus[0]);
	assert_int_equal(measured_on(&other, "--cpu", number), cpus[0]);
	BA_AUTO_FREE char *told =
		at("another run measures on the core of processor %d, too", cpus[0]);
	assert_has(other.out, told);
	BA_AUTO_FREE char *last =
		at("environment.warnings.%zu", e2e_count(&other, "environment.warnings") - 1);
	assert_has(e2e_text(&other, last), told);
	/* nobody has to tidy up after one that was killed */
	stop_measuring(&t);
	assert_int_equal(measured_on(&other, "--cpu", number), cpus[0]);
	assert_null(strstr(other.out, "another run"));
	assert_int_equal(measured_on(&other, "--no-build"), cpus[0]);
	BA_AUTO_FREE char *cores = at("%s/cores", t.cache);
	BA_AUTO_FREE char *left = manifest(cores, false);
	assert_string_equal(left, "");
	beside_end(&other);
	e2e_end(&t);
}

TEST(the_only_core_is_shared_and_that_is_said)
{
	ba_cpus all;
	int cpu;
	assert_int_equal(ba_affinity_allowed(&all, NULL), 0);
	assert_true(ba_affinity_pick(&cpu, NULL, NULL, "/sys"));
	e2e t = begin();
	e2e first = beside(&t);
	assert_int_equal(ba_affinity_pin(cpu, NULL), 0);
	assert_int_equal(measure_on(&first), cpu);
	assert_int_equal(measured_on(&t, "--no-build"), cpu);
	assert_has(t.out, "other runs measure on every core that this one may use");
	assert_true(t.status == 0 || t.status == 1);
	stop_measuring(&first);
	assert_int_equal(measured_on(&t, "--no-build"), cpu);
	assert_null(strstr(t.out, "other runs"));
	assert_int_equal(ba_affinity_set(&all), 0);
	beside_end(&first);
	e2e_end(&t);
}

/* The core is not free before the last of those who share it has left. */
TEST(who_came_later_is_seen_when_the_first_has_left)
{
	ba_cpus all;
	int cpu;
	assert_int_equal(ba_affinity_allowed(&all, NULL), 0);
	assert_true(ba_affinity_pick(&cpu, NULL, NULL, "/sys"));
	BA_AUTO_FREE char *number = at("%d", cpu);
	e2e t = begin();
	e2e later = beside(&t);
	assert_int_equal(ba_affinity_pin(cpu, NULL), 0);
	measure_on(&t);
	measure_on(&later);
	stop_measuring(&t);
	assert_int_equal(measured_on(&t, "--cpu", number), cpu);
	assert_has(t.out, "another run measures on the core");
	stop_measuring(&later);
	assert_int_equal(ba_affinity_set(&all), 0);
	beside_end(&later);
	e2e_end(&t);
}
