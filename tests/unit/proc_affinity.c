#include "test.h"

#include <pthread.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/base.h"
#include "proc/affinity.h"

TEST(processor_lists_are_read_as_the_kernel_writes_them)
{
	static const struct {
		const char *list;
		unsigned count, has;
	} rows[] = {{"0\n", 1, 0}, {"0-3,8,10-11\n", 7, 10}, {"5", 1, 5}, {"\n", 0, 99},
		{"", 0, 99}, {"8191", 1, 8191}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_cpus set;
		assert_true(ba_cpus_parse(&set, rows[i].list));
		assert_int_equal(ba_cpus_count(&set), rows[i].count);
		assert_int_equal(ba_cpus_has(&set, rows[i].has), rows[i].has != 99);
	}
}

TEST(nonsense_is_no_processor_list)
{
	static const char *const rows[] = {
		"a", "3-1", "1-", "-1", "1 2", "8192", "1,,2", "99999999999999999999"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_cpus set = {.bits = {42}};
		assert_false(ba_cpus_parse(&set, rows[i]));
		assert_int_equal(set.bits[0], 42);
	}
}

TEST(the_allowed_processors_go_round)
{
	ba_cpus allowed;
	assert_false(ba_affinity_allowed(&allowed, NULL));
	unsigned n = ba_cpus_count(&allowed);
	for (size_t i = 0; i < n; i++) {
		int cpu = ba_affinity_nth(i, -1);
		assert_true(cpu >= 0 && ba_cpus_has(&allowed, (unsigned)cpu));
		assert_int_equal(ba_affinity_nth(i + n, -1), cpu);
		assert_true(i == 0 || cpu > ba_affinity_nth(i - 1, -1));
	}
	/* one that this thread keeps free is among them */
	ba_cpus others = allowed;
	int own = ba_affinity_nth(0, -1);
	others.bits[own / 64] &= ~((uint64_t)1 << (own % 64));
	if (n < 2 || ba_affinity_set(&others))
		return;
	assert_int_not_equal(ba_affinity_nth(0, -1), own);
	assert_int_equal(ba_affinity_nth(0, own), own);
	assert_int_equal(ba_affinity_nth(n, own), own);
	assert_false(ba_affinity_set(&allowed));
}

static void put(const char *root, const char *path, const char *text)
{
	BA_AUTO_FREE char *file = ba_path_join(root, path);
	BA_AUTO_FREE char *dir = ba_path_dir(file);
	assert_false(ba_fs_mkdirs(dir, NULL));
	assert_false(ba_fs_write(file, text, strlen(text), 0644, NULL));
}

typedef struct machine {
	char *sysfs;
	unsigned first, last; /* allowed processors, first != last */
} machine;

static int make_machine(void **state)
{
	static machine m;
	ba_cpus allowed;
	m.sysfs = ba_xstrdup("/tmp/ba-sysfs-XXXXXX");
	if (!mkdtemp(m.sysfs) || ba_affinity_allowed(&allowed, NULL))
		return -1;
	m.first = m.last = BA_CPU_MAX;
	for (unsigned i = 0; i < BA_CPU_MAX; i++) {
		if (!ba_cpus_has(&allowed, i))
			continue;
		if (m.first == BA_CPU_MAX)
			m.first = i;
		m.last = i;
	}
	*state = &m;
	return 0;
}

static int remove_machine(void **state)
{
	machine *m = *state;
	ba_fs_remove_tree(m->sysfs, NULL);
	free(m->sysfs);
	return 0;
}
TEST_GROUP(make_machine, remove_machine);

TEST(a_processor_near_the_device_is_picked)
{
	machine *m = *state;
	static const char *const ids[] = {"0000:1b:00.0", "00000000:1B:00.0"};
	unsigned wanted[] = {m->first, m->last};
	for (size_t i = 0; i < 4; i++) {
		char list[16];
		int cpu = -1;
		snprintf(list, sizeof(list), "%u\n", wanted[i / 2]);
		put(m->sysfs, "bus/pci/devices/0000:1b:00.0/local_cpulist", list);
		assert_true(ba_affinity_pick(&cpu, NULL, ids[i % 2], m->sysfs));
		assert_int_equal(cpu, wanted[i / 2]);
	}
}

TEST(a_device_whose_processors_are_not_allowed_decides_nothing)
{
	machine *m = *state;
	int cpu = -1;
	put(m->sysfs, "bus/pci/devices/0000:1c:00.0/local_cpulist", "8000-8010\n");
	assert_true(ba_affinity_pick(&cpu, NULL, "0000:1c:00.0", m->sysfs));
	assert_true(cpu >= 0);
	assert_true(ba_affinity_pick(&cpu, NULL, "0000:ff:00.0", m->sysfs));
	assert_true(ba_affinity_pick(&cpu, NULL, "nonsense", m->sysfs));
}

TEST(processor_zero_is_the_last_choice)
{
	machine *m = *state;
	int cpu = -1;
	if (m->first != 0 || m->last == 0)
		skip();
	assert_true(ba_affinity_pick(&cpu, NULL, NULL, m->sysfs));
	assert_int_not_equal(cpu, 0);
}

TEST(what_is_taken_is_not_picked)
{
	machine *m = *state;
	ba_cpus taken = {0}, core;
	int cpu = -1;
	put(m->sysfs, "bus/pci/devices/0000:1d:00.0/local_cpulist", "0-8191\n");
	for (unsigned i = 0; i < BA_CPU_MAX; i++)
		if (i != m->first)
			ba_cpus_add(&taken, i);
	assert_true(ba_affinity_pick(&cpu, &taken, "0000:1d:00.0", m->sysfs));
	assert_int_equal(cpu, m->first);
	ba_affinity_core(&core, m->first, m->sysfs);
	ba_cpus_add_all(&taken, &core);
	assert_false(ba_affinity_pick(&cpu, &taken, NULL, m->sysfs));
	assert_int_equal(cpu, m->first);
}

/* a far core of one's own disturbs less than a near one that is shared */
TEST(where_what_is_near_is_taken_it_is_a_far_one)
{
	machine *m = *state;
	ba_cpus taken = {0};
	int cpu = -1;
	char list[16];
	if (m->first == m->last)
		skip();
	snprintf(list, sizeof(list), "%u\n", m->last);
	put(m->sysfs, "bus/pci/devices/0000:1e:00.0/local_cpulist", list);
	ba_cpus_add(&taken, m->last);
	assert_true(ba_affinity_pick(&cpu, &taken, "0000:1e:00.0", m->sysfs));
	assert_int_not_equal(cpu, m->last);
}

TEST(a_core_has_its_siblings)
{
	machine *m = *state;
	ba_cpus core;
	put(m->sysfs, "devices/system/cpu/cpu5/topology/thread_siblings_list", "5,69\n");
	ba_affinity_core(&core, 5, m->sysfs);
	assert_int_equal(ba_cpus_count(&core), 2);
	assert_true(ba_cpus_has(&core, 69));
	ba_affinity_core(&core, 6, m->sysfs);
	assert_int_equal(ba_cpus_count(&core), 1);
	assert_true(ba_cpus_has(&core, 6));
}

TEST(pinning_holds_and_avoiding_leaves_the_rest)
{
	machine *m = *state;
	ba_cpus before, now;
	assert_false(ba_affinity_allowed(&before, NULL));
	assert_false(ba_affinity_pin((int)m->last, NULL));
	assert_false(ba_affinity_allowed(&now, NULL));
	assert_int_equal(ba_cpus_count(&now), 1);
	assert_true(ba_cpus_has(&now, m->last));
	/* nothing else is allowed now: nothing happens */
	ba_affinity_avoid((int)m->last, m->sysfs);
	assert_false(ba_affinity_set(&before));
	ba_affinity_avoid((int)m->last, m->sysfs);
	assert_false(ba_affinity_allowed(&now, NULL));
	assert_int_equal(ba_cpus_has(&now, m->last), m->first == m->last);
	assert_false(ba_affinity_set(&before));
}

static void *wait_and_look(void *ends)
{
	char byte;
	ba_cpus *now = calloc(1, sizeof(*now));
	if (read(((int *)ends)[0], &byte, 1) == 1)
		ba_affinity_allowed(now, NULL);
	return now;
}

TEST(all_threads_of_a_process_are_pinned)
{
	const machine *m = *state;
	ba_cpus before;
	pthread_t other;
	void *now;
	int ends[2];
	assert_false(ba_affinity_allowed(&before, NULL));
	assert_false(pipe(ends));
	assert_false(pthread_create(&other, NULL, wait_and_look, ends));
	assert_false(ba_affinity_pin_process(getpid(), (int)m->last, NULL));
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_false(pthread_join(other, &now));
	assert_int_equal(ba_cpus_count(now), 1);
	assert_true(ba_cpus_has(now, m->last));
	assert_false(ba_affinity_set(&before));
	assert_int_equal(ba_affinity_pin_process(getpid(), BA_CPU_MAX - 1, NULL), BA_EIO);
	free(now);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_processor_that_is_not_there_is_an_error)
{
	ba_error err;
	assert_int_equal(ba_affinity_pin(BA_CPU_MAX - 1, &err), BA_EIO);
	assert_has(err.text, "cannot pin the process to processor 8191");
	assert_int_equal(ba_affinity_pin(-1, &err), BA_EINVAL);
}
