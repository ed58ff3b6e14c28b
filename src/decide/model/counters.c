#include "model/counters.h"

/* clang-format off */
#define STALL(what, title) \
	{"smsp__average_warps_issue_stalled_" what "_per_issue_active.ratio", \
		"warps stalled: " title, ""}
/* clang-format on */

const ba_counter_info ba_counter_infos[BA_COUNTERS] = {
	{"gpu__time_duration.sum", "duration under ncu", "ns"},
	{"sm__cycles_elapsed.avg", "cycles", ""},
	{"smsp__inst_executed.sum", "instructions executed", ""},
	{"sm__inst_executed.avg.per_cycle_active", "instructions per cycle", ""},
	{"sm__warps_active.avg.pct_of_peak_sustained_active", "occupancy achieved", "%"},
	{"dram__bytes_read.sum", "DRAM bytes read", "B"},
	{"dram__bytes_write.sum", "DRAM bytes written", "B"},
	{"lts__t_sector_hit_rate.pct", "L2 hit rate", "%"},
	{"l1tex__t_sector_hit_rate.pct", "L1 hit rate", "%"},
	{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "bank conflicts of shared memory",
		""},
	{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor cores active",
		"%"},
	STALL("long_scoreboard", "L1, L2 or DRAM"),
	STALL("short_scoreboard", "shared memory, special functions"),
	STALL("barrier", "barrier"),
	STALL("math_pipe_throttle", "arithmetic units"),
	STALL("mio_throttle", "queue to shared memory"),
	STALL("lg_throttle", "queue to global memory"),
	STALL("wait", "fixed latency"),
};

static ba_counter_value *find(const ba_kernel *k, const char *name)
{
	return BA_FIND(k->counters, k->counter_count, x, strcmp(x->name, name) == 0);
}

double ba_kernel_counter(const ba_kernel *k, const char *name)
{
	const ba_counter_value *c = find(k, name);
	return c ? c->value : NAN;
}

void ba_kernel_set_counter(ba_kernel *k, const char *name, double value)
{
	ba_counter_value *known = find(k, name);
	if (known) {
		known->value = value;
		return;
	}
	*BA_APPEND(k->counters, k->counter_count) =
		(ba_counter_value){.name = ba_xstrdup(name), .value = value};
}
