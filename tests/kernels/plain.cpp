/*
 * plain.cpp -- the kernels without tensor cores, and naive attention as a whole,
 * against their definitions; sizes that fill blocks and sizes that do not.
 */
#include "harness.h"
#include "device/plain.cu"
#include "host/reference.h"

namespace
{

unsigned blocks_of(long long n, long long each)
{
	return (unsigned)((n + each - 1) / each);
}

void try_map(long long n)
{
	array<float> x(n), y(n), copied(n), sums(n);
	unsigned blocks = blocks_of(n, STREAM_CHUNK);
	bool same = true, right = true;

	random_numbers(x, 4);
	random_numbers(y, 5);
	emulate({blocks, 1, 1}, STREAM_THREADS, 0, 1, [&] { copy(copied.data, x.data, n); });
	emulate({blocks, 1, 1}, STREAM_THREADS, 0, 1,
		[&] { saxpy(sums.data, x.data, y.data, 1.5f, n); });
	for (long long i = 0; i < n; i++) {
		same &= copied[i] == x[i];
		right &= sums[i] == fmaf(1.5f, x[i], y[i]);
	}
	check(same, "copy of %lld", n);
	check(right, "saxpy of %lld", n);
}

void try_sum(long long n, unsigned blocks)
{
	array<float> x(n), result(1), partial(blocks);
	unsigned ticket = 0;
	double sum = 0;

	random_numbers(x, 6);
	for (long long i = 0; i < n; i++)
		sum += x[i];
	for (unsigned seed = 0; seed < 3; seed++) { /* the ticket is as good as new */
		emulate({blocks, 1, 1}, STREAM_THREADS, 0, seed,
			[&] { reduction(result.data, partial.data, &ticket, x.data, n); });
		check(fabs(result[0] - sum) <= reference_sum_absolute((double)n),
			"reduction of %lld in %u blocks: %g, not %g", n, blocks, result[0], sum);
		check(ticket == 0, "the ticket is %u", ticket);
	}
}

void try_histogram(long long n, unsigned blocks)
{
	array<unsigned char> x(n);
	array<unsigned> bins(256), partial(blocks * 256);
	unsigned expected[256] = {0}, ticket = 0;

	for (long long i = 0; i < n; i++)
		expected[x[i] = (unsigned char)inputs_byte(8, i)]++;
	emulate({blocks, 1, 1}, STREAM_THREADS, 0, 3,
		[&] { histogram(bins.data, partial.data, &ticket, x.data, n); });
	check(memcmp(bins.data, expected, sizeof(expected)) == 0, "histogram of %lld", n);
	check(n < 1000 || expected[0] > 2 * expected[255],
		"small bytes are the more frequent ones");
}

void try_transpose(int rows, int columns)
{
	array<float> x((size_t)rows * columns), out((size_t)rows * columns);
	bool right = true;

	random_numbers(x, 9);
	emulate({blocks_of(columns, 32), blocks_of(rows, 32), 1}, STREAM_THREADS, 0, 1,
		[&] { transpose(out.data, x.data, rows, columns); });
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < columns; c++)
			right &= out[(size_t)c * rows + r] == x[(size_t)r * columns + c];
	check(right, "transpose of %d x %d", rows, columns);
}

bool near(const float *is, const std::vector<double> &expected, double absolute)
{
	for (size_t i = 0; i < expected.size(); i++)
		if (!(fabs(is[i] - expected[i]) <= absolute + 1e-5 * fabs(expected[i])))
			return false;
	return true;
}

void try_rows(unsigned rows, int columns)
{
	array<float> x((size_t)rows * columns), softmax(x.count), norm(x.count);
	array<float> gamma(columns), beta(columns);
	std::vector<double> expected(columns);

	random_numbers(x, 10);
	random_numbers(gamma, 11);
	random_numbers(beta, 12);
	emulate({rows, 1, 1}, ROWS_THREADS, 0, 1, [&] {
		(columns <= 1024 ? softmax_1024 : softmax_4096)(softmax.data, x.data, columns);
	});
	emulate({rows, 1, 1}, ROWS_THREADS, 0, 1, [&] {
		(columns <= 1024 ? layer_norm_1024 : layer_norm_4096)(
			norm.data, x.data, gamma.data, beta.data, columns, 1e-5f);
	});
	for (unsigned r = 0; r < rows; r++) {
		reference_softmax_row(expected.data(), x.data + r * columns, columns);
		check(near(softmax.data + r * columns, expected, 1e-8), "softmax of %d", columns);
		reference_layer_norm_row(expected.data(), x.data + r * columns, gamma.data,
			beta.data, columns, 1e-5);
		check(near(norm.data + r * columns, expected, 1e-5), "layer norm of %d", columns);
	}
}

void try_sgemm(int m, int n, int k)
{
	array<float> a((size_t)m * k), b((size_t)k * n), c((size_t)m * n);
	std::vector<double> expected(n);
	bool right = true;

	random_numbers(a, 13);
	random_numbers(b, 14);
	emulate({blocks_of(n, GEMM_TILE), blocks_of(m, GEMM_TILE), 1}, GEMM_THREADS, 0, 2,
		[&] { sgemm(c.data, a.data, b.data, m, n, k, 1.0f); });
	for (int row = 0; row < m; row++) {
		std::fill(expected.begin(), expected.end(), 0);
		for (int j = 0; j < k; j++)
			for (int i = 0; i < n; i++)
				expected[i] +=
					(double)a[(size_t)row * k + j] * b[(size_t)j * n + i];
		right &= near(c.data + (size_t)row * n, expected, reference_product_absolute(k));
	}
	check(right, "sgemm of %d x %d x %d", m, n, k);
}

/* which kernels make up naive attention of a type */
template <typename T> struct naive;
template <> struct naive<fp16> {
	static constexpr reference_type type = REFERENCE_FP16;
	static constexpr auto scores = attention_naive_scores_fp16;
	static constexpr auto values = attention_naive_values_fp16;
	static constexpr auto softmax = attention_naive_softmax_fp16;
	static constexpr auto softmax_causal = attention_naive_softmax_fp16_causal;
};
template <> struct naive<bf16> {
	static constexpr reference_type type = REFERENCE_BF16;
	static constexpr auto scores = attention_naive_scores_bf16;
	static constexpr auto values = attention_naive_values_bf16;
	static constexpr auto softmax = attention_naive_softmax_bf16;
	static constexpr auto softmax_causal = attention_naive_softmax_bf16_causal;
};

template <typename T> void try_attention(unsigned heads, int sequence, int d, bool causal)
{
	const size_t n = (size_t)heads * sequence * d;
	const long long rows = (long long)heads * sequence;
	array<T> q(n), k(n), v(n), o(n), s((size_t)rows * sequence);
	std::vector<float> wide_k(sequence * d), wide_v(sequence * d), wide_q(d), low(d);
	std::vector<double> expected(d);
	double worst = 0, worst_naive = 0;

	random_numbers(q, 1);
	random_numbers(k, 2);
	random_numbers(v, 3);
	emulate({blocks_of(sequence, GEMM_TILE), blocks_of(sequence, GEMM_TILE), heads},
		GEMM_THREADS, 0, 1, [&] {
			naive<T>::scores(
				s.data, q.data, k.data, sequence, sequence, d, 1 / sqrtf((float)d));
		});
	emulate({blocks_of(rows, NAIVE_THREADS / 32), 1, 1}, NAIVE_THREADS, 0, 1, [&] {
		(causal ? naive<T>::softmax_causal : naive<T>::softmax)(s.data, sequence, rows);
	});
	emulate({blocks_of(d, GEMM_TILE), blocks_of(sequence, GEMM_TILE), heads}, GEMM_THREADS, 0,
		1, [&] { naive<T>::values(o.data, s.data, v.data, sequence, d, sequence, 1.0f); });
	for (unsigned head = 0; head < heads; head++) {
		const size_t base = (size_t)head * sequence * d;

		for (int i = 0; i < sequence * d; i++) {
			wide_k[i] = number(k[base + i]);
			wide_v[i] = number(v[base + i]);
		}
		for (int row = 0; row < sequence; row++) {
			for (int i = 0; i < d; i++)
				wide_q[i] = number(q[base + row * d + i]);
			reference_attention_row(expected.data(), low.data(), wide_q.data(),
				wide_k.data(), wide_v.data(), causal ? row + 1 : sequence, d,
				naive<T>::type);
			for (int i = 0; i < d; i++) {
				double off = fabs(number(o[base + row * d + i]) - expected[i]);

				if (!(off <= worst))
					worst = off;
				worst_naive = fmax(worst_naive, fabs(low[i] - expected[i]));
			}
		}
	}
	check(worst <= reference_attention_absolute(worst_naive),
		"naive attention, %d rows, d %d: error %g, expected %g", sequence, d, worst,
		worst_naive);
}

void try_fill()
{
	const long long n = 5000;
	array<float> wide(n);
	array<fp16> half(n);
	array<bf16> brain(n);
	array<unsigned char> bytes(n);
	double sum = 0, squares = 0;
	bool same = true;

	emulate({blocks_of(n, FILL_CHUNK), 1, 1}, FILL_THREADS, 0, 0, [&] {
		fill_f32(wide.data, 77, n);
		fill_fp16(half.data, 77, n);
		fill_bf16(brain.data, 77, n);
		fill_byte(bytes.data, 77, n);
	});
	for (long long i = 0; i < n; i++) {
		float x = inputs_normal(77, i);

		same &= wide[i] == x && half[i].bits == fp16_from_float(x) &&
			brain[i].bits == bf16_from_float(x) && bytes[i] == inputs_byte(77, i);
		sum += x;
		squares += x * x;
	}
	check(same, "inputs are the same on both sides");
	check(fabs(sum / n) < 0.1 && fabs(squares / n - 1) < 0.1, "inputs: mean %g, variance %g",
		sum / n, squares / n);
}

} // namespace

int main()
{
	try_fill();
	for (long long n : {1LL, 4096LL, 10001LL})
		try_map(n);
	for (long long n : {3LL, 4096LL, 30003LL})
		try_sum(n, 5);
	for (long long n : {5LL, 16384LL, 70000LL})
		try_histogram(n, 3);
	try_transpose(32, 64);
	try_transpose(45, 70);
	for (int columns : {4, 1000, 1024, 1028, 4096})
		try_rows(2, columns);
	try_sgemm(128, 128, 16);
	try_sgemm(130, 260, 52);
	try_attention<fp16>(2, 64, 64, false);
	try_attention<fp16>(1, 140, 128, true);
	try_attention<bf16>(1, 140, 64, true);
	return harness_end("plain");
}
