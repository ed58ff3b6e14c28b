#include "test.h"

#include "base/rng.h"
#include "gpu/trust.h"

#define WORDS (2 * BA_PROOF_THREADS)

static void fill(uint64_t *in, uint64_t seed)
{
	for (size_t i = 0; i < WORDS; i++)
		in[i] = ba_splitmix64(&seed);
}

static size_t differences(const uint64_t *a, const uint64_t *b, size_t from, size_t to)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++)
		n += a[i] != b[i];
	return n;
}

/* splitmix64 is mix(state + increment): with no rounds and an input that makes in[i] +
 * i the advanced state, the proof's results are the published generator's */
TEST(without_rounds_it_is_the_finaliser_of_splitmix64)
{
	uint64_t in[BA_PROOF_THREADS], out[BA_PROOF_THREADS], s = 0;
	for (size_t i = 0; i < BA_PROOF_THREADS; i++)
		in[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) - i;
	ba_proof_expect(out, in, 1, 0);
	assert_true(out[0] == UINT64_C(0xe220a8397b1dcdaf)); /* splitmix64's first, seed 0 */
	for (size_t i = 0; i < BA_PROOF_THREADS; i++)
		assert_true(out[i] == ba_splitmix64(&s));
}

TEST(one_bit_of_input_changes_every_result_of_its_block)
{
	static uint64_t in[WORDS], a[WORDS], b[WORDS];
	fill(in, 1);
	ba_proof_expect(a, in, 2, 23);
	in[100] ^= 1;
	ba_proof_expect(b, in, 2, 23);
	assert_int_equal(differences(a, b, 0, BA_PROOF_THREADS), BA_PROOF_THREADS);
	assert_int_equal(differences(a, b, BA_PROOF_THREADS, WORDS), 0);
}

TEST(one_round_more_changes_every_result)
{
	static uint64_t in[WORDS], a[WORDS], b[WORDS];
	fill(in, 2);
	ba_proof_expect(a, in, 2, 22);
	ba_proof_expect(b, in, 2, 23);
	assert_int_equal(differences(a, b, 0, WORDS), WORDS);
}

TEST(equal_input_in_two_blocks_gives_different_results)
{
	static uint64_t in[WORDS], out[WORDS];
	memset(in, 7, sizeof(in));
	ba_proof_expect(out, in, 2, 23);
	assert_int_equal(
		differences(out, out + BA_PROOF_THREADS, 0, BA_PROOF_THREADS), BA_PROOF_THREADS);
}

TEST(no_blocks_and_too_many_are_refused)
{
	ba_proof p;
	ba_driver drv = {0};
	assert_int_equal(ba_proof_run(&p, &drv, 0, 1, NULL), BA_EINVAL);
	assert_int_equal(ba_proof_run(&p, &drv, 4097, 1, NULL), BA_EINVAL);
}
