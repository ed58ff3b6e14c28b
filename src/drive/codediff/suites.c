/* What a suite's processes execute, and which benchmarks a GPU must measure because of it. */
#include "codediff/codediff.h"
#include "report/machine/machine.h"

static const char *path_of(const ba_suite_config *suite)
{
	const char *path = suite->library	  ? suite->library
			   : suite->command.count ? suite->command.items[0]
						  : "";
	while (ba_text_starts(path, "./"))
		path += 2;
	return path;
}

/* Programs may load libraries that no suite names, and device code in files with hashed names. */
static bool is_loadable(const ba_code_file *f, const ba_config *config)
{
	return ba_code_file_claims(f->path) || f->unreadable ||
	       (f->is_library && !BA_ANY(config->suites, config->suite_count, s,
					 s->library && strcmp(s->library, f->path) == 0));
}

static bool is_of_suite(
	const ba_code_file *f, const ba_suite_config *suite, const ba_config *config)
{
	return strcmp(f->path, path_of(suite)) == 0 || is_loadable(f, config);
}

static void put_host(ba_strv *out, const ba_code_side *side, const ba_suite_config *suite,
	const ba_config *config)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	char digest[65];
	ba_sha256 sum;
	bool known = ba_code_file_find(side, path_of(suite));
	BA_EACH (const ba_code_file, f, side->files, side->file_count) {
		bool images = !f->unreadable && ba_code_file_claims(f->path);
		if (images || !is_of_suite(f, suite, config))
			continue;
		known &= *f->host != '\0';
		ba_strv_printf(&lines, "%s %s", f->path, f->host);
	}
	ba_strv_sort(&lines);
	ba_sha256_init(&sum);
	for (size_t i = 0; i < lines.count; i++)
		ba_sha256_add_string(&sum, lines.items[i]);
	ba_sha256_hex(&sum, digest);
	ba_strv_push(out, known ? digest : "");
}

void ba_code_suite_put(ba_measured_suite *out, const ba_code_side *side,
	const ba_suite_config *suite, const ba_config *config)
{
	char digest[65];
	size_t variant = out->host.count;
	put_host(&out->host, side, suite, config);
	for (size_t i = 0; i < side->kernels.count; i++) {
		const ba_kernel_code *k = &side->kernels.items[i];
		const ba_code_file *f = &side->files[side->file_of[i]];
		BA_AUTO_FREE char *name = ba_xstrdup(k->mangled);
		ba_host_clear_hashes(name, strlen(name));
		/* its host code has these names; files of device code may have hashes in theirs */
		if (is_of_suite(f, suite, config))
			ba_strv_printf(&out->kernels, "%zu %s %s %s %s %d %s", variant, k->mangled,
				*f->host ? f->path : "", *f->host ? name : k->name, k->target,
				(int)k->is_ptx, k->open ? "?" : k->whole);
	}
	ba_measured_suite_digest(digest, out, variant, NULL);
	ba_strv_push(&out->executes, digest);
}

void ba_codediff_list(
	ba_buf *out, const ba_codediff *d, const ba_suite_list *suites, const ba_config *config)
{
	for (size_t i = 0; suites && i < suites->count; i++) {
		const ba_suite_config *s = suites->items[i];
		ba_measured_suite m = {0};
		for (int side = 0; side < 2; side++)
			ba_code_suite_put(&m, &d->sides[side], s, config);
		if (!*m.executes.items[0] || strcmp(m.executes.items[0], m.executes.items[1]) != 0)
			ba_buf_printf(out, "%s/*\n", s->name);
		ba_measured_suite_dispose(&m);
	}
	for (size_t i = 0; i < d->found.pair_count && !suites; i++) {
		ba_machine_put_name(out, &d->found.pairs[i], true);
		ba_buf_putc(out, '\n');
	}
}
