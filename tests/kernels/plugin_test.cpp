/*
 * plugin.cpp -- the plugin as a whole, without a GPU: its C code, as a host calls it,
 * on a driver whose memory is this process's and whose launches are the emulator's. So
 * grids, arguments, tensor maps, references and tolerances are tried together; and each
 * check is seen to fail, on a result that has one wrong number.
 */
#include <algorithm>
#include <cstddef>
#include <map>
#include <malloc.h>
#include <vector>
#include "harness.h"
#include "device/attention_mma.cu"
#include "device/attention_wgmma.cu"
#include "device/plain.cu"
#include "host/attention_plan.h"
#include "host/reference.h"
#include "mini_host.h"

namespace
{

/* ---- a driver ---- */

struct entry {
	std::function<void(void **args)> call;
	unsigned shared_bytes = 0; /* what cuFuncSetAttribute has allowed */
};
std::map<std::string, entry> entries;

/* what the kernel does not read is the same each time, too: the tool compares all of it
 */
template <typename P> void check_padding(const void *) {}

template <> void check_padding<attention_wgmma_args>(const void *value)
{
	const unsigned char *at = (const unsigned char *)value;

	for (size_t i = offsetof(attention_wgmma_args, rest) + sizeof(int);
		i < sizeof(attention_wgmma_args); i++)
		check(at[i] == 0, "byte %zu behind the members is %d", i, at[i]);
}

template <typename... P> void add(const char *name, void (*kernel)(P...))
{
	entries[name].call = [kernel](void **args) {
		[&]<size_t... I>(std::index_sequence<I...>)
		{
			(check_padding<typename std::remove_const<P>::type>(args[I]), ...);
		}
		(std::index_sequence_for<P...>());
		[&]<size_t... I>(std::index_sequence<I...>)
		{
			kernel(*(typename std::remove_const<P>::type *)args[I]...);
		}
		(std::index_sequence_for<P...>());
	};
}

#define ADD(NAME) add(#NAME, NAME);
#define ADD_MMA(NAME, D, ...)                          \
	ADD(attention_mma_##NAME##_d##D##_fp16)        \
	ADD(attention_mma_##NAME##_d##D##_fp16_causal) \
	ADD(attention_mma_##NAME##_d##D##_bf16)        \
	ADD(attention_mma_##NAME##_d##D##_bf16_causal)
#define ADD_WGMMA(NAME, D, ...)                          \
	ADD(attention_wgmma_##NAME##_d##D##_fp16)        \
	ADD(attention_wgmma_##NAME##_d##D##_fp16_causal) \
	ADD(attention_wgmma_##NAME##_d##D##_bf16)        \
	ADD(attention_wgmma_##NAME##_d##D##_bf16_causal)
#define ADD_NAIVE(T)                     \
	ADD(attention_naive_scores_##T)  \
	ADD(attention_naive_values_##T)  \
	ADD(attention_naive_softmax_##T) \
	ADD(attention_naive_softmax_##T##_causal)

void add_all()
{
	ADD(fill_f32)
	ADD(fill_fp16)
	ADD(fill_bf16)
	ADD(fill_byte)
	ADD(copy)
	ADD(saxpy)
	ADD(reduction)
	ADD(transpose)
	ADD(histogram)
	ADD(softmax_1024)
	ADD(softmax_4096) ADD(layer_norm_1024) ADD(layer_norm_4096) ADD(sgemm) ADD_NAIVE(fp16)
		ADD_NAIVE(bf16) ATTENTION_MMA_SHAPES(ADD_MMA) ATTENTION_WGMMA_SHAPES(ADD_WGMMA)
}

int launches, modules, unloaded;

int cu_module_load(void **out, const void *image)
{
	*out = (void *)image;
	modules++;
	return 0;
}

int cu_module_unload(void *)
{
	unloaded++;
	return 0;
}

int cu_get_function(void **out, void *, const char *name)
{
	auto found = entries.find(name);

	if (found == entries.end())
		return 500; /* CUDA_ERROR_NOT_FOUND */
	*out = &found->second;
	return 0;
}

int cu_set_attribute(void *function, int attribute, int value)
{
	if (attribute == 8)
		((entry *)function)->shared_bytes = (unsigned)value;
	return attribute == 8 || (attribute == 9 && value == 100) ? 0 : 1;
}

int cu_device_attribute(int *out, int attribute, int)
{
	*out = 4;
	return attribute == 16 ? 0 : 1;
}

int cu_launch(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned,
	unsigned, unsigned shared_bytes, void *, void **args, void **)
{
	entry *e = (entry *)function;

	launches++;
	if (shared_bytes > 48 * 1024 && shared_bytes > e->shared_bytes)
		return 1; /* CUDA_ERROR_INVALID_VALUE, as the driver says */
	emulate({x, y, z}, threads, shared_bytes, launches % 3, [&] { e->call(args); });
	return 0;
}

int cu_alloc(uint64_t *out, size_t bytes)
{
	*out = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
	return *out ? 0 : 2;
}

int cu_free(uint64_t address)
{
	free((void *)(uintptr_t)address);
	return 0;
}

int cu_set_bytes(uint64_t to, unsigned char value, size_t bytes)
{
	memset((void *)(uintptr_t)to, value, bytes);
	return 0;
}

int cu_set_bytes_async(uint64_t to, unsigned char value, size_t bytes, void *)
{
	return cu_set_bytes(to, value, bytes);
}

int cu_download(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, (const void *)(uintptr_t)from, bytes);
	return 0;
}

int cu_wait(void *)
{
	return 0;
}

int cu_error_name(int, const char **out)
{
	*out = "CUDA_ERROR_OF_THE_TEST";
	return 0;
}

/* only what the emulator's copy engine can do, and what the driver would refuse */
int cu_encode_tensor(void *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
	const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
	int swizzle, int promotion, int fill)
{
	const uint64_t row = dimensions[2] * 128;

	if ((type != 6 && type != 9) || rank != 4 || (uintptr_t)map % 64 != 0 ||
		(uintptr_t)address % 16 != 0 || dimensions[0] != 64 || strides[0] != row ||
		strides[1] != 128 || strides[2] != row * dimensions[1] || box[0] != 64 ||
		box[1] > 256 || box[2] != dimensions[2] || box[3] != 1 || steps[0] != 1 ||
		steps[1] != 1 || steps[2] != 1 || steps[3] != 1 || interleave != 0 ||
		swizzle != 3 || promotion < 0 || promotion > 3 || fill != 0)
		return 1;
	*(tensor_map *)map = emulator_tensor_map({(const char *)address, (int)dimensions[1],
		(int)dimensions[2], (int)dimensions[3], (int)box[1]});
	return 0;
}

void *symbol(const char *name)
{
	static const std::map<std::string, void *> symbols = {
		{"cuModuleLoadData", (void *)cu_module_load},
		{"cuModuleUnload", (void *)cu_module_unload},
		{"cuModuleGetFunction", (void *)cu_get_function},
		{"cuFuncSetAttribute", (void *)cu_set_attribute},
		{"cuDeviceGetAttribute", (void *)cu_device_attribute},
		{"cuLaunchKernel", (void *)cu_launch},
		{"cuMemcpyDtoH", (void *)cu_download},
		{"cuMemsetD8Async", (void *)cu_set_bytes_async},
		{"cuMemsetD8", (void *)cu_set_bytes},
		{"cuStreamSynchronize", (void *)cu_wait},
		{"cuGetErrorName", (void *)cu_error_name},
		{"cuTensorMapEncodeTiled", (void *)cu_encode_tensor},
		{"cuMemAlloc", (void *)cu_alloc},
		{"cuMemFree", (void *)cu_free},
	};
	auto found = symbols.find(name);

	return found == symbols.end() ? nullptr : found->second;
}

/* ---- small problems of all kinds ---- */

const char *const small[] = {"n=300", "rows=9,columns=1000", "rows=3,columns=1500",
	"m=130,n=72,k=36", "B=2,H=2,S=68,d=64,kernel=0", "B=1,H=1,S=300,d=128,kernel=0",
	"B=2,H=2,S=68,d=64", nullptr};

std::string kernel_point(size_t number, int sequence)
{
	const attention_kernel *k = attention_kernel_at(number);

	return "B=1,H=2,S=" + std::to_string(sequence) + ",d=" + std::to_string(k->d) +
	       ",kernel=" + std::to_string(number);
}

struct tally {
	int right = 0, skipped = 0;
	void (*spoil)(uint64_t, size_t) = nullptr;
};

void must_be_right(const mini_case *c, void *context)
{
	const mini_options options = {2, 11, false, 0};
	mini_result result;

	mini_try(&result, c, &options, nullptr);
	check(result.outcome == MINI_RIGHT, "%s: %s", c->id, result.sentence);
	check(result.outcome != MINI_RIGHT || (result.counts[BA_SUITE_BYTES_READ] > 0 &&
						      result.counts[BA_SUITE_BYTES_WRITTEN] > 0),
		"%s: no bytes counted", c->id);
	((tally *)context)->right += result.outcome == MINI_RIGHT;
}

void must_be_wrong(const mini_case *c, void *context)
{
	const mini_options options = {1, 11, false, 0};
	mini_result result;

	mini_try(&result, c, &options, ((tally *)context)->spoil);
	check(result.outcome == MINI_WRONG, "%s: a wrong number is not found", c->id);
}

void must_be_skipped(const mini_case *c, void *context)
{
	const mini_options options = {1, 11, false, 0};
	mini_result result;

	mini_try(&result, c, &options, nullptr);
	check(result.outcome == MINI_SKIPPED && result.sentence[0], "%s: not skipped", c->id);
	((tally *)context)->skipped++;
}

/* the first number is another one; the last one was never written */
void first_wrong(uint64_t address, size_t)
{
	*(uint16_t *)(uintptr_t)(address + 2) ^= 0x3210; /* also the high half of a float */
	*(uint16_t *)(uintptr_t)address ^= 0x3210;
}

void last_unwritten(uint64_t address, size_t bytes)
{
	memset((char *)(uintptr_t)address + bytes - 4, 0xff, 4);
}

void choices_of(int arch, int d, int sequence, bool causal)
{
	int rows = 0;

	for (size_t heads : {1, 32, 256, 4096}) {
		const attention_kernel *k = attention_choose(heads, sequence, d, causal, arch, 132);

		check(k && !attention_kernel_unfit(k, d, arch),
			"no kernel for %zu heads, S %d, d %d, sm_%d", heads, sequence, d, arch);
		check(k && k->rows >= rows, "more heads, smaller tiles: %zu, S %d, d %d", heads,
			sequence, d);
		rows = k ? k->rows : 0;
	}
}

/* every row in one block, and no block without rows */
void splits_of(const attention_kernel *k, size_t heads, int sequence, bool causal)
{
	attention_split split;

	attention_split_rows(&split, k, heads, sequence, causal, 132);
	const int others = split.blocks - split.whole;
	const int rows = sequence - split.whole * k->rows;

	check(split.whole >= 0 && rows >= 0 && split.rest >= 1 &&
			split.rest * 64 <= std::max(k->rows, 64) &&
			others * 64 * split.rest >= rows && (others - 1) * 64 * split.rest < rows,
		"%s, %zu heads, S %d: %d whole blocks, %d of %d warpgroups", k->name, heads,
		sequence, split.whole, others, split.rest);
	check((k->splits && !causal) || split.whole == sequence / k->rows, "%s is split", k->name);
}

void splits()
{
	attention_split split;

	for (size_t number = 1; number <= attention_kernel_count(); number++)
		for (size_t heads : {1, 32, 64, 65535})
			for (int sequence : {1, 64, 191, 192, 200, 2048, 4096, 4104})
				for (bool causal : {false, true})
					if (attention_kernel_at(number)->rows >= 64)
						splits_of(attention_kernel_at(number), heads,
							sequence, causal);
	/* 64 * 21 blocks would be 24 more than ten for each of 132 multiprocessors */
	attention_split_rows(
		&split, attention_kernel_at(attention_kernel_count()), 64, 4096, false, 132);
	check(split.whole == 20 && split.rest == 2 && split.blocks == 22, "4096 rows");
}

/* which kernel for which problem: what must hold, whatever the table of choices says */
void choices()
{
	for (int arch : {80, 86, 90, 100, 120})
		for (int d : {64, 128})
			for (int sequence : {1, 128, 256, 512, 2048, 4096})
				for (bool causal : {false, true})
					choices_of(arch, d, sequence, causal);
	check(!attention_choose(1, 128, 80, false, 90, 132), "a kernel for d 80");
	check(!attention_choose(1, 128, 64, false, 75, 132), "a kernel for sm_75");
	check(!attention_kernel_at(0) && attention_kernel_at(attention_kernel_count()) &&
			!attention_kernel_at(attention_kernel_count() + 1),
		"numbers");
	/* 99 KB a block is all that compute capability 8.6 has */
	for (int d : {64, 128})
		check(attention_choose(4096, 4096, d, false, 86, 132)->shared_bytes <= 101376,
			"d %d does not fit sm_86", d);
	check(count_attention_flop(2, 128, 64, 0) == 4.0 * 2 * 128 * 128 * 64 &&
			count_attention_flop(2, 128, 64, 1) ==
				count_attention_flop(2, 128, 64, 0) / 2,
		"FLOP of attention");
}

} // namespace

int main(int argc, char **)
{
	const ba_suite *suite = bench_against_suite(BA_SUITE_ABI);
	const char *const attention[] = {"attention/", nullptr};
	tally all;

	mallopt(M_PERTURB, 0x5a); /* new memory is not 0 */
	add_all();
	choices();
	splits();
	check(suite && suite->benchmark_count == 10, "the table");
	check(mini_open(suite, symbol, 90, 0) == nullptr, "the suite does not open");
	mini_each(suite, nullptr, small, must_be_right, &all);
	/* kernels.attention_* run every kernel; with an argument, as at night, this does, too */
	for (size_t number = 1; number <= attention_kernel_count(); number += argc > 1 ? 1 : 5) {
		const attention_kernel *k = attention_kernel_at(number);
		std::vector<int> sequences = {72};

		/* a last block whose rows are one warpgroup's */
		if (k->family == ATTENTION_WGMMA && k->rows > 64)
			sequences.push_back(k->rows + 8);
		for (int sequence : sequences) {
			const std::string point = kernel_point(number, sequence);
			const char *const points[] = {point.c_str(), nullptr};

			mini_each(suite, attention, points, must_be_right, &all);
		}
	}
	check(all.right > (argc > 1 ? 60 : 25), "only %d cases", all.right);

	all.spoil = first_wrong;
	mini_each(suite, nullptr, small, must_be_wrong, &all);
	all.spoil = last_unwritten;
	mini_each(suite, nullptr, small, must_be_wrong, &all);

	const char *const odd[] = {"n=0", "rows=2,columns=4100", "rows=2,columns=7", "m=4,n=6,k=8",
		"B=1,H=1,S=4,d=80", "B=0,H=1,S=4,d=64", "B=1,H=1,S=0,d=64", "B=65535,H=2,S=4,d=64",
		"B=1,H=1,S=4,d=64,kernel=99", "B=1,H=1,S=4,d=128,kernel=1", nullptr};

	mini_each(suite, nullptr, odd, must_be_skipped, &all);
	check(all.skipped > 20, "only %d skipped", all.skipped);
	mini_close();
	check(modules == 3 && unloaded == 3, "%d modules loaded, %d unloaded", modules, unloaded);

	check(mini_open(suite, symbol, 75, 0) == nullptr, "the suite does not open");
	mini_each(suite, attention, small, must_be_skipped, &all);
	mini_close();
	return harness_end("plugin");
}
