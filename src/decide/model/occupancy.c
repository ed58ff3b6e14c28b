#include "model/occupancy.h"

enum {
	WARP = 32,
	BLOCK_THREADS = 1024,
	REGISTERS = 65536,    /* per multiprocessor, and the most that a block can have */
	REGISTERS_MOST = 255, /* of a thread */
	/* registers are allocated to a warp in steps of this many */
	REGISTER_STEP = 256,
	/* parts of a multiprocessor, each with its own registers and warps */
	PARTITIONS = 4,
	/* shared memory is allocated to a block in steps of this many bytes */
	SHARED_STEP = 128,
	/* bytes of shared memory that the system reserves in each block */
	SHARED_OF_SYSTEM = 1024,
};

/* The values that differ between architectures. */
static const struct {
	const char *capability;
	unsigned threads, blocks, shared_kib; /* of a multiprocessor */
} table[] = {
	{"8.0", 2048, 32, 164},
	{"8.6", 1536, 16, 100},
	{"8.7", 1536, 16, 164},
	{"8.9", 1536, 24, 100},
	{"9.0", 2048, 32, 228},
	{"10.0", 2048, 32, 228},
	{"10.3", 2048, 32, 228},
	{"12.0", 1536, 24, 100},
};

static uint64_t round_up(uint64_t n, uint64_t step)
{
	return (n + step - 1) / step * step;
}

/* If `blocks` is fewer than before, takes it and notes the limit. */
static void at_most(ba_occupancy *o, uint64_t blocks, const char *limit)
{
	if (blocks >= o->blocks)
		return;
	o->blocks = (unsigned)blocks;
	o->limit = limit;
}

static uint64_t blocks_by_registers(const ba_kernel *k, uint64_t warps)
{
	uint64_t of_warp = round_up((uint64_t)k->registers * WARP, REGISTER_STEP);
	if (k->registers > REGISTERS_MOST || of_warp * round_up(warps, PARTITIONS) > REGISTERS)
		return 0;
	return REGISTERS / PARTITIONS / of_warp * PARTITIONS / warps;
}

bool ba_occupancy_of(ba_occupancy *out, const ba_kernel *k, const char *capability)
{
	uint64_t threads = (uint64_t)k->block_x * (k->block_y ? k->block_y : 1);
	size_t i = 0;
	while (i < BA_COUNT(table) && strcmp(table[i].capability, capability) != 0)
		i++;
	/* before the third factor, so that no product overflows */
	if (i == BA_COUNT(table) || threads == 0 || threads > BLOCK_THREADS ||
		k->block_z > BLOCK_THREADS || k->registers == 0)
		return false;
	threads *= k->block_z ? k->block_z : 1;
	if (threads > BLOCK_THREADS)
		return false;
	uint64_t warps = (threads + WARP - 1) / WARP;
	uint64_t shared =
		round_up((uint64_t)k->shared_bytes + k->dynamic_shared_bytes + SHARED_OF_SYSTEM,
			SHARED_STEP);
	*out = (ba_occupancy){.blocks = table[i].blocks,
		.warps_most = table[i].threads / WARP,
		.limit = "blocks"};
	at_most(out, out->warps_most / warps, "threads");
	at_most(out, blocks_by_registers(k, warps), "registers");
	at_most(out, table[i].shared_kib * 1024u / shared, "shared memory");
	out->warps = out->blocks * (unsigned)warps;
	return out->blocks > 0;
}
