/* What processes of a suite execute, and which benchmarks a GPU must measure because it
 * differs. */
#include "base/hash.h"
#include "codediff/codediff.h"
#include "report/machine/machine.h"

/* False: it is not known what a process executes of the file. */
static bool add_file(ba_strv *lines, const ba_code_file *f)
{
	if (f)
		ba_strv_push_take(lines, ba_xprintf("%s %s", f->path, f->runs));
	return f && *f->runs;
}

static bool is_of_suite(const ba_code_file *f, const ba_suite_config *suites, size_t count)
{
	return BA_ANY(suites, count, s, s->library && strcmp(s->library, f->path) == 0);
}

/* Any program may load libraries that no suite names, and device code in files of its
 * own, whose names may have a hash in them. */
static bool add_loadable(
	ba_strv *lines, const ba_code_side *side, const ba_suite_config *suites, size_t count)
{
	bool known = true;
	BA_EACH (const ba_code_file, f, side->files, side->file_count)
		if (f->unreadable || (f->is_library && !is_of_suite(f, suites, count)))
			known &= add_file(lines, f);
	for (size_t i = 0; i < side->kernels.count; i++) {
		const ba_kernel_code *k = &side->kernels.items[i];
		if (!ba_code_file_claims(side->files[side->file_of[i]].path))
			continue;
		known &= !k->open;
		ba_strv_push_take(lines, ba_xprintf("%s %s %s", k->name, k->target, k->whole));
	}
	return known;
}

bool ba_code_suite_digest(char out[65], const ba_code_side *side, const ba_suite_config *suite,
	const ba_suite_config *suites, size_t count)
{
	const char *path = suite->library	  ? suite->library
			   : suite->command.count ? suite->command.items[0]
						  : "";
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_sha256 sum;
	while (ba_text_starts(path, "./"))
		path += 2;
	bool known = add_file(&lines, ba_code_file_find(side, path));
	known &= add_loadable(&lines, side, suites, count);
	ba_strv_sort(&lines);
	ba_sha256_init(&sum);
	for (size_t i = 0; i < lines.count; i++)
		if (i == 0 || strcmp(lines.items[i - 1], lines.items[i]) != 0)
			ba_sha256_add(&sum, lines.items[i], strlen(lines.items[i]) + 1);
	ba_sha256_hex(&sum, out);
	if (!known)
		out[0] = '\0';
	return known;
}

void ba_codediff_list(
	ba_buf *out, const ba_codediff *d, const ba_suite_list *suites, const ba_config *config)
{
	for (size_t i = 0; suites && i < suites->count; i++) {
		const ba_suite_config *s = suites->items[i];
		char of[2][65];
		bool same = true;
		for (int side = 0; side < 2; side++)
			same &= ba_code_suite_digest(
				of[side], &d->sides[side], s, config->suites, config->suite_count);
		if (!same || strcmp(of[0], of[1]) != 0)
			ba_buf_printf(out, "%s/*\n", s->name);
	}
	for (size_t i = 0; i < d->found.pair_count && !suites; i++) {
		ba_machine_put_name(out, &d->found.pairs[i], true);
		ba_buf_putc(out, '\n');
	}
}
