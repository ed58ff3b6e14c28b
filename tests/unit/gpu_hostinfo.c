#include "test.h"

#include "gpu/hostinfo.h"

static ba_host_info quiet_host(void)
{
	return (ba_host_info){.cpu_model = "EPYC",
		.governor = "performance",
		.clocksource = "tsc",
		.cpus = 16,
		.allowed_cpus = 16,
		.pinned_cpu = 3,
		.turbo = 0,
		.smt = 0,
		.load_average = 0.2,
		.timer_read_ns = 29};
}

/* an empty one where there is none of that name */
static const ba_trust_finding *find(const ba_trust_findings *f, const char *id)
{
	static const ba_trust_finding none;
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->items[i].id, id))
			return &f->items[i];
	return &none;
}

TEST(a_quiet_host_has_nothing_to_remark_on)
{
	ba_host_info h = quiet_host();
	ba_trust_findings f = {0};
	ba_host_judge(&f, &h);
	assert_int_equal(f.count, 0);
}

TEST(what_the_system_does_not_say_is_no_finding)
{
	ba_host_info h = {.cpus = -1,
		.allowed_cpus = -1,
		.pinned_cpu = -1,
		.turbo = -1,
		.smt = -1,
		.load_average = -1,
		.steal_ratio = -1};
	ba_trust_findings f = {0};
	ba_host_judge(&f, &h);
	assert_int_equal(f.count, 0);
}

#define SPOIL(name, spoil)                \
	static void name(ba_host_info *h) \
	{                                 \
		spoil;                    \
	}
SPOIL(powersave, strcpy(h->governor, "powersave"))
SPOIL(hpet, strcpy(h->clocksource, "hpet"))
SPOIL(slow_clock, h->timer_read_ns = 1400)
SPOIL(one_cpu, h->allowed_cpus = 1)
SPOIL(loaded, h->load_average = 9)
SPOIL(quota, h->cgroup_cpus = 1.5)
SPOIL(stolen, h->steal_ratio = 0.034)
#undef SPOIL

TEST(what_makes_noise_is_warned_of_with_a_remedy)
{
	const struct {
		void (*spoil)(ba_host_info *h);
		const char *id, *words;
	} rows[] = {
		{powersave, "governor", "'powersave'"},
		{hpet, "clocksource", "'hpet'"},
		{slow_clock, "slow-clock", "1400 ns"},
		{one_cpu, "one-cpu", "one CPU only"},
		{loaded, "load", "9.0 on 16 CPUs"},
		{quota, "cpu-quota", "1.5 CPUs"},
		{stolen, "steal", "3.4 %"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_host_info h = quiet_host();
		ba_trust_findings f = {0};
		rows[i].spoil(&h);
		ba_host_judge(&f, &h);
		assert_int_equal(f.count, 1);
		assert_string_equal(f.items[0].id, rows[i].id);
		assert_int_equal(f.items[0].severity, BA_TRUST_WARN);
		assert_has(f.items[0].sentence, rows[i].words);
		assert_true(strlen(f.items[0].remedy) > 10);
	}
}

TEST(what_is_only_worth_knowing_is_information)
{
	ba_host_info h = quiet_host();
	ba_trust_findings f = {0};
	h.turbo = h.smt = 1;
	h.virtual_machine = true;
	strcpy(h.isolated, "2-3");
	ba_host_judge(&f, &h);
	assert_int_equal(f.count, 4);
	for (size_t i = 0; i < f.count; i++)
		assert_int_equal(f.items[i].severity, BA_TRUST_INFO);
	assert_has(find(&f, "isolated")->sentence, "CPUs 2-3");
}

TEST(cpu_lists_are_counted)
{
	const struct {
		const char *list;
		int count;
	} rows[] = {{"0", 1}, {"0-3", 4}, {"0-3,8", 5}, {"0,2,4-5", 4}, {"", -1}, {"x", -1},
		{"3-1", -1}, {"1-", -1}, {"1;2", -1}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(ba_cpu_list_count(rows[i].list), rows[i].count);
}
