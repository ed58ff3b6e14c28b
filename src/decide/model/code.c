#include "model/code.h"

static const struct {
	const char *key, *title;
} classes[BA_CLASS_COUNT] = {
	[BA_CLASS_GLOBAL_LOAD] = {"global_load", "global loads"},
	[BA_CLASS_GLOBAL_STORE] = {"global_store", "global stores"},
	[BA_CLASS_GENERIC_LOAD] = {"generic_load", "generic loads"},
	[BA_CLASS_GENERIC_STORE] = {"generic_store", "generic stores"},
	[BA_CLASS_LOCAL_LOAD] = {"local_load", "local loads"},
	[BA_CLASS_LOCAL_STORE] = {"local_store", "local stores"},
	[BA_CLASS_SHARED_LOAD] = {"shared_load", "shared loads"},
	[BA_CLASS_SHARED_STORE] = {"shared_store", "shared stores"},
	[BA_CLASS_CONSTANT_LOAD] = {"constant_load", "constant loads"},
	[BA_CLASS_COPY] = {"copy", "asynchronous copies"},
	[BA_CLASS_TEXTURE] = {"texture", "textures and surfaces"},
	[BA_CLASS_ATOMIC] = {"atomic", "atomics"},
	[BA_CLASS_FP32] = {"fp32", "FP32"},
	[BA_CLASS_FP64] = {"fp64", "FP64"},
	[BA_CLASS_FP16] = {"fp16", "FP16 and BF16"},
	[BA_CLASS_SPECIAL] = {"special", "special functions"},
	[BA_CLASS_TENSOR] = {"tensor", "tensor cores"},
	[BA_CLASS_INTEGER] = {"integer", "integer"},
	[BA_CLASS_CONVERSION] = {"conversion", "conversions"},
	[BA_CLASS_MOVE] = {"move", "moves"},
	[BA_CLASS_WARP] = {"warp", "shuffles and votes"},
	[BA_CLASS_BARRIER] = {"barrier", "barriers"},
	[BA_CLASS_CONTROL] = {"control", "control"},
	[BA_CLASS_OTHER] = {"other", "other"},
};

const char *ba_class_key(ba_instruction_class c)
{
	return classes[c].key;
}

const char *ba_class_title(ba_instruction_class c)
{
	return classes[c].title;
}

BA_OWNS_HANDLE(ba_block_changes, b, BA_FREE(b->label, b->file),
	BA_DISPOSE(ba_strv, &b->baseline_code, &b->candidate_code))

BA_OWNS(ba_device_code, c,
	BA_FREE_EACH(k, c->kernels, c->kernel_count,
		BA_FREE_EACH(x, k->counters, k->counter_count, free(x->name)),
		ba_block_changes_free(k->blocks), free(k->name)),
	BA_FREE(c->reason, c->listing_reason, c->counters_reason))

ba_kernel *ba_device_code_add(ba_device_code *c)
{
	ba_kernel *k = BA_APPEND(c->kernels, c->kernel_count);
	*k = (ba_kernel){0};
	return k;
}

/* The first code in b that is not taken, and if not NULL called `name`. */
static size_t take(const ba_device_code *b, bool *taken, const char *name)
{
	for (size_t i = 0; i < b->kernel_count; i++) {
		if (taken[i] || (name && strcmp(b->kernels[i].name, name) != 0))
			continue;
		taken[i] = true;
		return i;
	}
	return SIZE_MAX;
}

ba_kernel_pair *ba_kernel_pairs(
	size_t *count, const ba_device_code *base, const ba_device_code *mine)
{
	size_t n = base->kernel_count, i;
	BA_AUTO_FREE bool *taken = ba_xcalloc(mine->kernel_count + 1, sizeof(*taken));
	ba_kernel_pair *pairs = ba_xcalloc(n + mine->kernel_count + 1, sizeof(*pairs));
	for (i = 0; i < n; i++)
		pairs[i] = (ba_kernel_pair){i, take(mine, taken, base->kernels[i].name)};
	for (i = 0; i < n; i++)
		if (pairs[i].mine == SIZE_MAX)
			pairs[i].mine = take(mine, taken, NULL);
	for (size_t k; (k = take(mine, taken, NULL)) != SIZE_MAX;)
		pairs[n++] = (ba_kernel_pair){SIZE_MAX, k};
	*count = n;
	return pairs;
}

uint64_t ba_kernel_instructions(const ba_kernel *k)
{
	uint64_t sum = 0;
	for (int c = 0; k->listed && c < BA_CLASS_COUNT; c++)
		sum += k->classes[c];
	return sum;
}

static bool is_equal(const char *a, const char *b)
{
	return *a && strcmp(a, b) == 0;
}

bool ba_device_code_is_same(const ba_device_code *a, const ba_device_code *b)
{
	return is_equal(a->code_sha256, b->code_sha256) &&
	       is_equal(a->work_sha256, b->work_sha256) &&
	       is_equal(a->memory_sha256, b->memory_sha256);
}

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
