/*
 * emulator_test.cpp -- is the emulator as strict as it says? Programs with one fault
 * each, and what is to be said of them; and the 16-bit numbers that everything rests
 * on.
 */
#include <sys/wait.h>
#include <unistd.h>
#include "harness.h"
#include "device/tile.cuh"
#include "device/hopper.cuh"

namespace
{

/* runs a block in a child; what it says on stderr must contain `expected` */
void fails(const char *what, const char *expected, const std::function<void()> &program,
	unsigned threads = 64)
{
	int ends[2], status;
	std::string said;
	char piece[256];
	ssize_t n;

	fflush(stdout);
	if (pipe(ends) != 0)
		abort();
	pid_t child = fork();

	if (child == 0) {
		dup2(ends[1], 2);
		emulate({1, 1, 1}, threads, 4096, 0, program);
		_exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], piece, sizeof(piece))) > 0)
		said.append(piece, n);
	close(ends[0]);
	waitpid(child, &status, 0);
	check(WIFEXITED(status) && WEXITSTATUS(status) == 1 &&
			said.find(expected) != std::string::npos,
		"%s: said '%s'", what, said.c_str());
}

alignas(16) uint16_t source[64];

void faults()
{
	fails("a lane that goes its own way", "diverged", [] {
		if (threadIdx.x == 3)
			__syncwarp();
		else
			shuffle_xor(1.0f, 1);
	});
	fails("a warp that waits for one that has left", "deadlock", [] {
		if (threadIdx.x < 32)
			__syncthreads();
	});
	fails("a lane that has left", "deadlock", [] {
		if (threadIdx.x != 7)
			__syncwarp();
	});
	fails("an address behind shared memory", "outside",
		[] { load_shared(shared_address(shared_memory()) + 4096); });
	fails("an address that is not aligned", "multiple",
		[] { load_shared(shared_address(shared_memory()) + 8); });
	fails("an offset instead of an address", "outside",
		[] { load_shared((uint32_t)threadIdx.x * 16); });
	fails("a copy from an odd address", "multiple",
		[] { copy_async(shared_address(shared_memory()), source + 1, true); });
	fails("a phase that nobody ends", "deadlock", [] {
		uint32_t barrier = shared_address(shared_memory());

		if (threadIdx.x == 0)
			barrier_init(barrier, 2);
		__syncthreads();
		if (threadIdx.x == 0)
			barrier_arrive(barrier);
		barrier_wait(barrier, 0);
	});
	fails("wgmma without a fence", "fence", [] {
		float d[8][4];

		wgmma_shared<fp16, false>(d, 0, 0);
	});
	fails(
		"a turn that nobody gives", "deadlock", [] { turn_wait(4); }, 128);
	fails(
		"a turn that nobody takes", "turn", [] { turn_give(4); }, 128);
	fails(
		"more registers than there are", "registers", [] { registers_more<176>(); }, 384);
	fails("a warp whose lanes disagree", "differ", [] { warp_uniform((int)threadIdx.x / 2); });
}

/* what is copied is NaN until it is waited for, and lanes see each other's after a
 * barrier */
void copies()
{
	bool early_nan = true, late_right = true;

	for (int i = 0; i < 64; i++)
		source[i] = (uint16_t)(i * 3);
	emulate({1, 1, 1}, 64, 4096, 5, [&] {
		uint32_t target = shared_address(shared_memory());

		if (threadIdx.x < 8)
			copy_async(target + threadIdx.x * 16, source + threadIdx.x * 8, true);
		copy_commit();
		__syncthreads();
		early_nan &= load_shared(target + threadIdx.x % 8 * 16).x == 0xffffffffu;
		__syncthreads();
		copy_wait<0>();
		__syncthreads();
		late_right &= load_shared(target + threadIdx.x % 8 * 16).y ==
			      (threadIdx.x % 8 * 8 + 2) * 3 + ((threadIdx.x % 8 * 8 + 3) * 3 << 16);
	});
	check(early_nan, "a copy is not there before it is waited for");
	check(late_right, "a copy is there after it was waited for");
}

/* eight rows of one chunk: in their places no bank twice, one below the other all the
 * same */
void banks()
{
	for (int swizzled = 0; swizzled < 2; swizzled++) {
		uint64_t before = emulator_seen.bank_conflicts;

		emulate({1, 1, 1}, 32, 4096, 0, [&] {
			int row = threadIdx.x % 32;
			uint32_t r[4];

			load_matrices(r,
				shared_address(shared_memory()) +
					(swizzled ? tile_offset<32>(row, 5) : row * 128 + 5 * 16));
		});
		uint64_t seen = emulator_seen.bank_conflicts - before;

		check(swizzled ? seen == 0 : seen >= 4 * 28, "%lu bank conflicts",
			(unsigned long)seen);
	}
}

/* every 16-bit number to float and back, and the halfway cases between neighbours */
void numbers()
{
	int wrong = 0;

	for (uint32_t bits = 0; bits < 0x10000; bits++) {
		float half = fp16_to_float((uint16_t)bits), brain = bf16_to_float((uint16_t)bits);

		if (half == half)
			wrong += fp16_from_float(half) != bits;
		if (brain == brain)
			wrong += bf16_from_float(brain) != bits;
	}
	for (uint32_t bits = 0; bits < 0x7bff; bits++) {
		float low = fp16_to_float((uint16_t)bits);
		float high = fp16_to_float((uint16_t)(bits + 1));
		uint16_t even = (uint16_t)(bits % 2 ? bits + 1 : bits);

		wrong += fp16_from_float((low + high) / 2) != even;
		wrong += fp16_from_float(low * 0.51f + high * 0.49f) != bits && low > 1e-6f;
	}
	check(wrong == 0, "%d 16-bit numbers are wrong", wrong);
	check(fp16_from_float(65520.0f) == 0x7c00 && fp16_from_float(65519.0f) == 0x7bff,
		"the largest half");
	check(fp16_to_float(1) == 0x1p-24f && fp16_to_float(0x3c00) == 1 &&
			bf16_to_float(0x3f80) == 1,
		"known numbers");
}

} // namespace

int main()
{
	numbers();
	faults();
	copies();
	banks();
	return harness_end("emulator");
}
