/*
 * emulator_hopper.h -- what kernels/device/hopper.cuh means in C++.
 *
 * wgmma and the copy engine work as late as the rules allow: a product is computed when
 * it is waited for, from what registers and shared memory hold by then; a box is NaN
 * when it is asked for and lands when somebody waits for its barrier. Operands are
 * found by what their descriptors say, bit by bit.
 */
#ifndef EMULATOR_HOPPER_H
#define EMULATOR_HOPPER_H

/* what the tests put into a tensor_map: rows of 128 bytes in panels */
struct emulator_tensor {
	const char *data;
	int rows, panels, heads, box_rows;
};

tensor_map emulator_tensor_map(const emulator_tensor &tensor);
void emulator_group_barrier(int id);
void emulator_turn(int id, bool waits);
void emulator_registers(int count);
void emulator_barrier_init(uint32_t barrier, uint32_t arrivals);
void emulator_barrier_arrive(uint32_t barrier, uint32_t bytes);
void emulator_barrier_wait(uint32_t barrier, uint32_t parity);
void emulator_tensor_load(uint32_t target, const tensor_map *map, int column, int row, int panel,
	int head, uint32_t barrier);

/* one lane's share of a product; a: registers, or NULL and a_shared */
struct emulator_wgmma {
	float *d;
	int columns; /* of the product */
	bool add;
	const uint32_t *a;
	uint64_t a_shared, b_shared;
	float (*wide)(uint16_t bits);
};
void emulator_wgmma_issue(const emulator_wgmma &product);
void emulator_wgmma_fence();
void emulator_wgmma_commit();
void emulator_wgmma_wait(size_t pending);

static inline void barrier_init(uint32_t barrier, uint32_t arrivals)
{
	emulator_barrier_init(barrier, arrivals);
}
static inline void barrier_init_done() {}
static inline void barrier_arrive(uint32_t barrier)
{
	emulator_barrier_arrive(barrier, 0);
}
static inline void barrier_arrive_expect(uint32_t barrier, uint32_t bytes)
{
	emulator_barrier_arrive(barrier, bytes);
}
static inline void barrier_wait(uint32_t barrier, uint32_t parity)
{
	emulator_barrier_wait(barrier, parity);
}
template <int ID> static inline void group_barrier()
{
	emulator_group_barrier(ID);
}
static inline void turn_wait(int id)
{
	emulator_turn(id, true);
}
static inline void turn_give(int id)
{
	emulator_turn(id, false);
}
template <int COUNT> static inline void registers_less()
{
	emulator_registers(COUNT);
}
template <int COUNT> static inline void registers_more()
{
	emulator_registers(COUNT);
}
static inline void tensor_prefetch(const tensor_map *) {}
static inline void tensor_load(uint32_t target, const tensor_map *map, int column, int row,
	int panel, int head, uint32_t barrier)
{
	emulator_tensor_load(target, map, column, row, panel, head, barrier);
}
static inline void wgmma_fence()
{
	emulator_wgmma_fence();
}
static inline void wgmma_commit()
{
	emulator_wgmma_commit();
}
template <int PENDING> static inline void wgmma_wait()
{
	emulator_wgmma_wait(PENDING);
}
template <int M, int N> static inline void wgmma_keep(float (&)[M][N][4]) {}

template <typename T, bool ADD, int TILES>
static inline void wgmma_shared(float (&d)[TILES][4], uint64_t a, uint64_t b)
{
	emulator_wgmma_issue(emulator_wgmma{&d[0][0], TILES * 8, ADD, nullptr, a, b, from_bits<T>});
}

template <typename T, int TILES>
static inline void wgmma_registers(float (&d)[TILES][4], const uint32_t (&a)[4], uint64_t b)
{
	emulator_wgmma_issue(emulator_wgmma{&d[0][0], TILES * 8, true, a, 0, b, from_bits<T>});
}

#endif
