/* emulator_hopper.cpp -- barriers, boxes on their way, products under way of one block
 */
#include <map>
#include <vector>
#include "device/hopper.cuh"
#include "emulator_state.h"

namespace
{

struct box {
	uint32_t target;
	const tensor_map *map;
	int row, head;
};

struct barrier {
	uint32_t arrivals = 0, pending = 0;
	int64_t bytes = 0; /* expected and not yet copied */
	uint64_t phases = 0;
	std::vector<box> boxes;
};

struct group {
	int arrived = 0;
	uint64_t generation = 0;
	bool fenced = false;
	int registers = 0; /* asked for by setmaxnreg */
	/* products in order; each has the shares of 128 threads */
	std::vector<std::vector<emulator_wgmma>> issued;
	std::vector<std::vector<std::vector<emulator_wgmma>>> committed;
	emulator_wgmma shares[128];
};

std::map<uint32_t, barrier> barriers;
std::map<int, group> groups;
std::map<int, group> named, turns;

uint64_t extent(const emulator_tensor &t)
{
	return (uint64_t)t.box_rows * 128 * t.panels;
}

emulator_tensor tensor_of(const tensor_map *map)
{
	emulator_tensor t;

	memcpy(&t, map, sizeof(t));
	return t;
}

uint32_t swizzled(uint32_t address)
{
	return address ^ (address >> 7 & 7) << 4;
}

void land(const box &b)
{
	emulator_tensor t = tensor_of(b.map);

	for (int panel = 0; panel < t.panels; panel++)
		for (int row = 0; row < t.box_rows; row++)
			for (int chunk = 0; chunk < 8; chunk++) {
				char *to = emulator_shared(
					swizzled(b.target + (panel * t.box_rows + row) * 128 +
						 chunk * 16),
					16, 16);
				/* a row of the matrix has all panels side by side */
				const char *from =
					t.data +
					(((int64_t)b.head * t.rows + b.row + row) * t.panels +
						panel) *
						128 +
					chunk * 16;

				if (b.row + row < t.rows)
					memcpy(to, from, 16);
				else
					memset(to, 0, 16);
			}
}

void settle(barrier &b)
{
	if (b.pending > 0 || b.bytes != 0)
		return;
	b.phases++;
	b.pending = b.arrivals;
	emulator_moved();
}

barrier &find(uint32_t address)
{
	auto found = barriers.find(address);

	if (found == barriers.end())
		emulator_fail("no barrier at 0x%x", address);
	return found->second;
}

/* all 128 threads of a warpgroup meet; the last one does the work */
template <typename F> void together(group &g, const char *what, F work)
{
	uint64_t generation = g.generation;

	if (++g.arrived == 128) {
		g.arrived = 0;
		g.generation++;
		work();
		emulator_moved();
		return;
	}
	emulator_await(what, [&g, generation] { return g.generation != generation; });
}

group &mine()
{
	return groups[threadIdx.x / 128];
}

/* where wgmma looks for element (i, k) of an operand in shared memory, i: row of A or
 * column of B; PTX ISA, "Strides" and "Matrix Descriptor Format" */
uint16_t operand(uint64_t descriptor, bool k_major, int i, int k)
{
	uint32_t start = (descriptor & 0x3fff) << 4;
	uint32_t leading = (descriptor >> 16 & 0x3fff) << 4;
	uint32_t stride = (descriptor >> 32 & 0x3fff) << 4;
	uint32_t address;
	uint16_t bits;

	if (descriptor >> 62 != 1 || (descriptor >> 49 & 7) != 0)
		emulator_fail("a wgmma operand that is not swizzled by 128 bytes");
	if (k_major) /* eight rows of 128 bytes, then a stride */
		address = start + i / 8 * stride + i % 8 * 128 + k * 2;
	else /* 64 elements of a row, eight rows, then a stride; then a leading offset
	      */
		address = start + i / 64 * leading + i % 64 * 2 + k / 8 * stride + k % 8 * 128;
	memcpy(&bits, emulator_shared(swizzled(address), 2, 2), 2);
	return bits;
}

void compute(const std::vector<emulator_wgmma> &shares)
{
	const emulator_wgmma &first = shares[0];
	const bool registers = first.a != nullptr;
	std::vector<float> b(16 * first.columns);
	float a[64][16];

	for (int k = 0; k < 16; k++) {
		for (int n = 0; n < first.columns; n++)
			b[k * first.columns + n] =
				first.wide(operand(first.b_shared, !registers, n, k));
		for (int row = 0; row < 64 && !registers; row++)
			a[row][k] = first.wide(operand(first.a_shared, true, row, k));
	}
	for (int t = 0; t < 128 && registers; t++)
		for (int e = 0; e < 8; e++) {
			int row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8;
			int column = t % 4 * 2 + e % 2 + e / 4 * 8;

			a[row][column] = first.wide((uint16_t)(shares[t].a[e / 2] >> 16 * (e % 2)));
		}
	for (int t = 0; t < 128; t++)
		for (int e = 0; e < first.columns / 2; e++) {
			int row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8;
			int column = e / 4 * 8 + t % 4 * 2 + e % 2;
			float sum = first.add ? shares[t].d[e] : 0;

			for (int k = 0; k < 16; k++)
				sum += a[row][k] * b[k * first.columns + column];
			shares[t].d[e] = sum;
		}
}

} // namespace

void emulator_hopper_begin()
{
	barriers.clear();
	groups.clear();
	named.clear();
	turns.clear();
}

void emulator_hopper_end()
{
	int registers = 0;

	for (auto &t : turns)
		if (t.second.arrived != 0)
			emulator_fail("the block ends before a turn was taken");
	for (auto &g : groups)
		registers += g.second.registers;
	if (registers > 512)
		emulator_fail("%d registers, a multiprocessor has 512 for threads of the "
			      "same place in their warpgroups",
			registers);
	for (auto &b : barriers)
		if (!b.second.boxes.empty())
			emulator_fail("the block ends before a box has landed");
	for (auto &g : groups)
		if (!g.second.issued.empty() || !g.second.committed.empty())
			emulator_fail("the block ends before a product was waited for");
}

tensor_map emulator_tensor_map(const emulator_tensor &tensor)
{
	tensor_map map = {};

	static_assert(sizeof(tensor) <= sizeof(map), "fits");
	memcpy(&map, &tensor, sizeof(tensor));
	return map;
}

void emulator_group_barrier(int id)
{
	together(named[id], "a barrier of 128 threads", [] {});
}

/* bar.sync or bar.arrive of 256 threads */
void emulator_turn(int id, bool waits)
{
	group &g = turns[id];
	uint64_t generation = g.generation;

	if (++g.arrived == 256) {
		g.arrived = 0;
		g.generation++;
		emulator_moved();
		return;
	}
	if (waits)
		emulator_await("a turn", [&g, generation] { return g.generation != generation; });
}

void emulator_registers(int count)
{
	group &g = mine();

	if (count % 8 != 0 || count < 24 || count > 256)
		emulator_fail("setmaxnreg of %d", count);
	together(g, "setmaxnreg", [&g, count] { g.registers = count; });
}

void emulator_barrier_init(uint32_t address, uint32_t arrivals)
{
	barrier &b = barriers[address];

	emulator_shared(address, 8, 8);
	b = barrier();
	b.arrivals = b.pending = arrivals;
}

void emulator_barrier_arrive(uint32_t address, uint32_t bytes)
{
	barrier &b = find(address);

	if (b.pending == 0)
		emulator_fail("more arrivals than the barrier was made for");
	b.bytes += bytes;
	b.pending--;
	settle(b);
}

void emulator_barrier_wait(uint32_t address, uint32_t parity)
{
	emulator_await("a barrier's phase", [address, parity] {
		barrier &b = find(address);

		if (b.phases % 2 != parity)
			return true;
		for (const box &arrival : b.boxes) {
			land(arrival);
			b.bytes -= (int64_t)extent(tensor_of(arrival.map));
		}
		if (b.boxes.empty())
			return false;
		b.boxes.clear();
		settle(b);
		return b.phases % 2 != parity;
	});
}

void emulator_tensor_load(uint32_t target, const tensor_map *map, int column, int row, int panel,
	int head, uint32_t address)
{
	emulator_tensor t = tensor_of(map);

	if (column != 0 || panel != 0 || row < 0 || head < 0 || head >= t.heads)
		emulator_fail("a box at %d, %d, %d, %d", column, row, panel, head);
	memset(emulator_shared(target, extent(t), 1024), 0xff, extent(t));
	find(address).boxes.push_back(box{target, map, row, head});
}

void emulator_wgmma_fence()
{
	mine().fenced = true;
}

void emulator_wgmma_issue(const emulator_wgmma &product)
{
	group &g = mine();

	if (!g.fenced)
		emulator_fail("wgmma without a fence before");
	g.shares[threadIdx.x % 128] = product;
	together(g, "wgmma", [&g] {
		for (const emulator_wgmma &share : g.shares)
			if (share.columns != g.shares[0].columns || share.add != g.shares[0].add ||
				share.a_shared != g.shares[0].a_shared ||
				share.b_shared != g.shares[0].b_shared)
				emulator_fail("the warpgroup's lanes differ in a wgmma");
		g.issued.emplace_back(g.shares, g.shares + 128);
	});
}

void emulator_wgmma_commit()
{
	group &g = mine();

	together(g, "wgmma.commit_group", [&g] {
		g.committed.push_back(std::move(g.issued));
		g.issued.clear();
	});
}

void emulator_wgmma_wait(size_t pending)
{
	group &g = mine();

	together(g, "wgmma.wait_group", [&g, pending] {
		while (g.committed.size() > pending) {
			for (const auto &product : g.committed.front())
				compute(product);
			g.committed.erase(g.committed.begin());
		}
		g.fenced = false;
	});
}
