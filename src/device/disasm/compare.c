/* Which basic blocks two kernels share: the longest common sequence of blocks. */

#include "disasm/listing.h"

static uint64_t *digests_of(const ba_listing *l)
{
	uint64_t *all = ba_xcalloc(l->block_count + 1, sizeof(*all));
	for (size_t b = 0; b < l->block_count; b++) {
		ba_sha256 sum;
		char hex[65];
		ba_sha256_init(&sum);
		for (size_t i = 0; i < l->blocks[b].count; i++)
			ba_sha256_add_string(&sum, l->instructions[l->blocks[b].first + i].plain);
		ba_sha256_hex(&sum, hex);
		hex[16] = '\0';
		all[b] = strtoull(hex, NULL, 16);
	}
	return all;
}

/* [n + 1][m + 1]: length of the longest common sequence that begins at a block of each */
static uint16_t *lengths_of(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
	uint16_t *all = ba_xcalloc((n + 1) * (m + 1), sizeof(*all));
	for (size_t i = n; i-- > 0;)
		for (size_t k = m; k-- > 0;) {
			uint16_t *at = &all[i * (m + 1) + k];
			uint16_t down = at[m + 1], right = at[1];
			*at = a[i] == b[k]    ? (uint16_t)(at[m + 2] + 1)
			      : down >= right ? down
					      : right;
		}
	return all;
}

/* Shows code from the first differing instruction of the block on, and the blocks after
 * it. */
static void put_code(ba_strv *out, const ba_listing *l, size_t block, size_t skip)
{
	const ba_block *b = &l->blocks[block];
	for (size_t i = skip; i < b->count && out->count < BA_CODE_SHOWN; i++)
		ba_strv_push(out, l->instructions[b->first + i].text);
}

/* The number of equal instructions at the beginnings of two blocks. */
static size_t common(const ba_listing *a, size_t i, const ba_listing *b, size_t k)
{
	const ba_block *x = &a->blocks[i], *y = &b->blocks[k];
	size_t n = 0;
	while (n < x->count && n < y->count &&
		strcmp(a->instructions[x->first + n].plain, b->instructions[y->first + n].plain) ==
			0)
		n++;
	return n;
}

/* Block i of the baseline, block k of the candidate, or both have no partner. */
static void put_place(ba_block_changes *out, const ba_listing *a, size_t i, bool gone,
	const ba_listing *b, size_t k, bool added)
{
	const ba_listing *shown = added ? b : a;
	size_t block = added ? k : i;
	size_t skip = gone && added ? common(a, i, b, k) : 0;
	const ba_block *at = &shown->blocks[block];
	const ba_instruction *first =
		&shown->instructions[at->first + (skip < at->count ? skip : 0)];
	out->number = (unsigned)block + 1;
	out->label = ba_xstrdup(at->label);
	out->file = ba_xstrdup(first->file);
	out->line = first->line;
	if (gone)
		put_code(&out->baseline_code, a, i, skip);
	if (added)
		put_code(&out->candidate_code, b, k, skip);
}

ba_block_changes *ba_listing_compare(const ba_listing *baseline, const ba_listing *candidate)
{
	size_t n = baseline->block_count, m = candidate->block_count, i = 0, k = 0;
	if (n > BA_BLOCKS_MOST || m > BA_BLOCKS_MOST)
		return NULL;
	BA_AUTO_FREE uint64_t *a = digests_of(baseline), *b = digests_of(candidate);
	BA_AUTO_FREE uint16_t *lengths = lengths_of(a, n, b, m);
	ba_block_changes *out = ba_xcalloc(1, sizeof(*out));
	out->baseline = (unsigned)n;
	out->candidate = (unsigned)m;
	out->same = lengths[0];
	while (i < n && k < m && a[i] == b[k]) {
		i++;
		k++;
	}
	if (i == n && k == m)
		return out;
	/* if both, only the baseline's or only the candidate's block is skipped, are
	 * equally many pairs left? */
	const uint16_t *at = &lengths[i * (m + 1) + k];
	bool both = i < n && k < m && at[m + 2] == *at;
	bool gone = both || (i < n && (k == m || at[m + 1] == *at));
	put_place(out, baseline, i, gone, candidate, k, both || !gone);
	return out;
}
