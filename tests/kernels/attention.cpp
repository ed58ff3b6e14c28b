/*
 * attention.cpp -- every tiled attention kernel, instruction by instruction, against
 * the definition in FP64: all shapes, types, masks, lengths that fill tiles and lengths
 * that do not. Without a GPU; it is what says that fragments, swizzles, stages and
 * barriers fit together.
 */
#include "harness.h"
#include "device/attention_mma.cu"
#include "device/attention_wgmma.cu"
#include "host/reference.h"

namespace
{

struct problem {
	int heads, sequence, d;
	bool causal;
	unsigned seed;
	bool again;
};

struct kernel {
	const char *name;
	int d, rows, cols, threads;
	size_t shared;
	bool causal, bf16_type, tensor_maps, splits;
	void (*mma)(attention_args);
	void (*wgmma)(const attention_wgmma_args);
};

#define MMA(NAME, D, ROWS, COLS, WARPS, STAGES, BLOCKS, T, CAUSAL, SUFFIX)                    \
	{"mma_" #NAME "_d" #D "_" #T #SUFFIX, D, ROWS, COLS, 32 * WARPS,                      \
		attention_mma_shape<T, D, ROWS, COLS, WARPS, STAGES, CAUSAL>::SHARED, CAUSAL, \
		std::is_same<T, bf16>::value, false, false,                                   \
		attention_mma_##NAME##_d##D##_##T##SUFFIX, nullptr},
#define WGMMA(NAME, D, GROUPS, COLS, STAGES, WAY, BLOCKS, T, CAUSAL, SUFFIX)                    \
	{"wgmma_" #NAME "_d" #D "_" #T #SUFFIX, D, 64 * GROUPS, COLS,                           \
		ATTENTION_WGMMA_THREADS(GROUPS, WAY),                                           \
		attention_wgmma_shape<T, D, GROUPS, COLS, STAGES, WAY, CAUSAL>::SHARED, CAUSAL, \
		std::is_same<T, bf16>::value, true, WAY == ATTENTION_TURNS && !CAUSAL, nullptr, \
		attention_wgmma_##NAME##_d##D##_##T##SUFFIX},
#define EACH(ENTRY, ...)                        \
	ENTRY(__VA_ARGS__, fp16, false, )       \
	ENTRY(__VA_ARGS__, fp16, true, _causal) \
	ENTRY(__VA_ARGS__, bf16, false, )       \
	ENTRY(__VA_ARGS__, bf16, true, _causal)
#define EACH_MMA(...) EACH(MMA, __VA_ARGS__)
#define EACH_WGMMA(...) EACH(WGMMA, __VA_ARGS__)

const kernel kernels[] = {ATTENTION_MMA_SHAPES(EACH_MMA) ATTENTION_WGMMA_SHAPES(EACH_WGMMA)};

template <typename T>
void launch(const kernel &k, const problem &p, array<T> &o, const array<T> &q, const array<T> &keys,
	const array<T> &values)
{
	const float scale_log2 = 1.44269504088896341f / sqrtf((float)p.d);
	emulator_dim grid = {(unsigned)((p.sequence + k.rows - 1) / k.rows), (unsigned)p.heads, 1};

	if (!k.tensor_maps) {
		attention_args args = {
			o.data, q.data, keys.data, values.data, p.sequence, scale_log2};

		emulate(grid, k.threads, k.shared, p.seed, [&] { k.mma(args); });
		return;
	}
	attention_wgmma_args args;
	const int panels = p.d / 64;

	args.q = emulator_tensor_map({(const char *)q.data, p.sequence, panels, p.heads, k.rows});
	args.k =
		emulator_tensor_map({(const char *)keys.data, p.sequence, panels, p.heads, k.cols});
	args.v = emulator_tensor_map(
		{(const char *)values.data, p.sequence, panels, p.heads, k.cols});
	args.o = o.data;
	args.sequence = p.sequence;
	args.scale_log2 = scale_log2;
	/* any way to cut the rows: the results are the same to the bit */
	args.whole = p.sequence / k.rows - (p.seed % 2 && p.sequence >= k.rows);
	args.rest = 1 + (int)p.seed % (k.rows / 64);
	if (k.splits)
		grid.x = args.whole +
			 (p.sequence - args.whole * k.rows + 64 * args.rest - 1) / (64 * args.rest);
	emulate(grid, k.threads, k.shared, p.seed, [&] { k.wgmma(args); });
}

template <typename T> void try_one(const kernel &k, const problem &p)
{
	const size_t n = (size_t)p.heads * p.sequence * p.d;
	array<T> q(n), keys(n), values(n), o(n), again(n);
	std::vector<float> wide_k(p.sequence * p.d), wide_v(p.sequence * p.d);
	std::vector<double> expected(p.d);
	std::vector<float> naive(p.d), wide_q(p.d);
	double worst = 0, worst_naive = 0, wrong = 0, size = 0;
	const emulator_counts before = emulator_seen;

	random_numbers(q, 1);
	random_numbers(keys, 2);
	random_numbers(values, 3);
	launch(k, p, o, q, keys, values);
	const uint64_t conflicts = emulator_seen.bank_conflicts - before.bank_conflicts;
	/* the same by threads that take turns in another way */
	problem other_order = p;

	other_order.seed = p.seed + 1;
	if (p.again)
		launch(k, other_order, again, q, keys, values);

	for (int head = 0; head < p.heads; head++) {
		const size_t base = (size_t)head * p.sequence * p.d;

		for (int i = 0; i < p.sequence * p.d; i++) {
			wide_k[i] = number(keys[base + i]);
			wide_v[i] = number(values[base + i]);
		}
		for (int row = 0; row < p.sequence; row++) {
			for (int i = 0; i < p.d; i++)
				wide_q[i] = number(q[base + row * p.d + i]);
			reference_attention_row(expected.data(), naive.data(), wide_q.data(),
				wide_k.data(), wide_v.data(), p.causal ? row + 1 : p.sequence, p.d,
				k.bf16_type ? REFERENCE_BF16 : REFERENCE_FP16);
			for (int i = 0; i < p.d; i++) {
				double is = number(o[base + row * p.d + i]);

				wrong += (is - expected[i]) * (is - expected[i]);
				size += expected[i] * expected[i];
				if (!(fabs(is - expected[i]) <= worst))
					worst = fabs(is - expected[i]);
				worst_naive = fmax(worst_naive, fabs(naive[i] - expected[i]));
			}
		}
	}
	/* not (x > limit): NaN must fail */
	check(worst <= reference_attention_absolute(worst_naive),
		"%s, %d heads, %d rows: error %g, naive has %g", k.name, p.heads, p.sequence, worst,
		worst_naive);
	check(sqrt(wrong / size) <= reference_l2(k.bf16_type ? REFERENCE_BF16 : REFERENCE_FP16),
		"%s, %d heads, %d rows: relative error %g", k.name, p.heads, p.sequence,
		sqrt(wrong / size));
	check(!p.again || memcmp(o.data, again.data, n * sizeof(T)) == 0,
		"%s, %d heads, %d rows: another order, another result", k.name, p.heads,
		p.sequence);
	check(conflicts == 0, "%s: %lu bank conflicts", k.name, (unsigned long)conflicts);
}

} // namespace

int main(int argc, char **argv)
{
	const std::string family = argc > 1 ? argv[1] : "";
	const bool all = argc > 2;

	for (const kernel &k : kernels) {
		/* a tile that is full, one that is not, and all stages more than once;
		 * the latter for each second kernel: a type and a mask of each shape. The others
		 * are emulated twice, in two orders; all of them, with a second argument */
		const int around = k.rows + 2 * k.cols + 9;
		const problem problems[] = {
			{2, k.cols, k.d, k.causal, 0, false},
			{1, 1, k.d, k.causal, 7, false},
			{1, k.causal != k.bf16_type ? around + 2 * k.cols : around, k.d, k.causal,
				3, all || k.causal == k.bf16_type},
		};

		if (family != (k.tensor_maps ? "wgmma" : "mma"))
			continue;
		for (const problem &p : problems)
			if (k.bf16_type)
				try_one<bf16>(k, p);
			else
				try_one<fp16>(k, p);
	}
	return harness_end(family.c_str());
}
