#include "layout/copies.h"

#include "layout/shift.h"
#include "stats/schedule.h"

#define LINE_BYTES 64u
#define PAGE_MOST 65536u
#define LIBRARY_MOST ((size_t)256 << 20)

struct ba_copies {
	size_t count, variants;
	ba_movable *libraries; /* [variants]; one without a file is not measured */
	/* offsets by which all of them can be moved; each is a multiple of step */
	size_t *offsets, offset_count, step;
	char *dir;
	char **paths; /* [variants * count] */
};

void ba_copies_free(ba_copies *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->variants * c->count; i++)
		free(c->paths[i]);
	for (size_t v = 0; v < c->variants; v++)
		ba_movable_dispose(&c->libraries[v]);
	if (c->dir)
		ba_fs_remove_tree(c->dir, NULL);
	BA_FREE(c->libraries, c->offsets, c->paths, c->dir, c);
}

static int find_offsets(ba_copies *c, size_t page, ba_error *err)
{
	bool any = BA_ANY(c->libraries, c->variants, one, one->file);
	c->step = BA_SHIFT_STEP;
	for (size_t v = 0; v < c->variants; v++)
		if (c->libraries[v].step > c->step)
			c->step = c->libraries[v].step;
	c->offsets = ba_xcalloc(page / BA_SHIFT_STEP, sizeof(*c->offsets));
	for (size_t offset = c->step; offset < page; offset += c->step)
		if (BA_ALL(c->libraries, c->variants, one,
			    !one->file || ba_movable_fits(one, offset)))
			c->offsets[c->offset_count++] = offset;
	if (any && c->offset_count < c->count)
		return ba_fail(err, BA_EINVAL,
			"--layouts %zu: the libraries can be moved to %zu places in a page only, as their data is aligned to %zu bytes",
			c->count, c->offset_count, c->step);
	return 0;
}

/* Makes the variant's directory of copies, with links to the files beside the library,
 * because it may look for them there. */
static int make_directory(ba_copies *c, size_t variant, const char *library, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO_FREE char *from = ba_path_dir(library);
	BA_AUTO_FREE char *to = ba_xprintf("%s/%zu", c->dir, variant);
	int rc = ba_fs_mkdirs(to, err);
	rc = rc ? rc : ba_fs_names(&names, from, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		BA_AUTO_FREE char *file = ba_path_join(from, names.items[i]);
		BA_AUTO_FREE char *link = ba_path_join(to, names.items[i]);
		if (symlink(file, link))
			rc = ba_fail_errno(err, BA_EIO, "cannot link '%s'", link);
	}
	for (size_t i = 0; i < c->count; i++)
		c->paths[variant * c->count + i] =
			ba_xprintf("%s/%s.layout-%zu", to, ba_path_base(library), i);
	return rc;
}

static int make_directories(
	ba_copies *c, const char *const *libraries, const char *parent, ba_error *err)
{
	int rc = 0;
	c->dir = ba_path_join(parent, "layouts-XXXXXX");
	if (!mkdtemp(c->dir)) {
		rc = ba_fail_errno(err, BA_EIO, "cannot make the directory '%s'", c->dir);
		ba_text_own(&c->dir, NULL);
	}
	for (size_t v = 0; rc == 0 && v < c->variants; v++)
		if (c->libraries[v].file)
			rc = make_directory(c, v, libraries[v], err);
	return rc;
}

static int read_library(ba_movable *out, const char *path, size_t page, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	BA_TRY(ba_fs_read(&file, path, LIBRARY_MOST, err));
	return ba_movable_of(out, file.data, file.len, page, err);
}

int ba_copies_new(ba_copies **out, size_t copies, const char *const *libraries, char **failures,
	size_t variants, const char *dir, ba_error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	BA_AUTO_PTR(ba_copies) ba_copies *c = ba_xcalloc(1, sizeof(*c));
	c->count = copies;
	c->variants = variants;
	c->libraries = ba_xcalloc(variants, sizeof(*c->libraries));
	c->paths = ba_xcalloc(variants * copies, sizeof(*c->paths));
	if (page > PAGE_MOST)
		return ba_fail(err, BA_EUNSUPPORTED,
			"--layouts: this system has pages of %zu bytes", page);
	for (size_t v = 0; v < variants; v++) {
		ba_error why;
		if (!failures[v] && read_library(&c->libraries[v], libraries[v], page, &why))
			failures[v] = ba_xprintf("--layouts: '%s' cannot be moved: %s",
				ba_path_base(libraries[v]), why.text);
	}
	int rc = find_offsets(c, page, err);
	rc = rc ? rc : make_directories(c, libraries, dir, err);
	if (rc == 0)
		*out = BA_TAKE(c);
	return rc;
}

/* ---- an invocation ---- */

/* Takes one of the remaining offsets, at that position in a cache line if possible. */
static size_t take_offset(
	const ba_copies *c, bool *taken, size_t place, size_t places, uint64_t *rng)
{
	size_t fit = 0;
	for (int any = 0; any < 2 && !fit; any++) {
		places = any ? 1 : places;
		for (size_t i = 0; i < c->offset_count; i++)
			fit += !taken[i] && c->offsets[i] / c->step % places == place % places;
	}
	size_t chosen = (size_t)ba_rng_below(rng, fit);
	for (size_t i = 0;; i++) {
		if (taken[i] || c->offsets[i] / c->step % places != place % places)
			continue;
		if (chosen-- == 0) {
			taken[i] = true;
			return c->offsets[i];
		}
	}
}

/* a new file, because the last invocation's may still be mapped */
static int write_copy(ba_copies *c, size_t variant, size_t copy, size_t offset, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf moved = BA_BUF_INIT;
	const char *path = c->paths[variant * c->count + copy];
	unlink(path);
	ba_movable_shift(&moved, &c->libraries[variant], offset);
	return ba_fs_write(path, moved.data, moved.len, 0600, err);
}

int ba_copies_draw(const char *const **paths, ba_copies *c, uint64_t run_seed, const char *suite,
	unsigned invocation, ba_error *err)
{
	BA_AUTO_FREE char *key = ba_xprintf("layouts of %s", suite);
	BA_AUTO_FREE bool *taken = ba_xcalloc(c->offset_count + 1, sizeof(*taken));
	uint64_t rng = ba_schedule_seed(run_seed, key, invocation, 0);
	size_t places = c->step < LINE_BYTES ? LINE_BYTES / c->step : 1;
	size_t first = (size_t)ba_rng_below(&rng, places);
	int rc = 0;
	for (size_t i = 0; rc == 0 && c->offset_count && i < c->count; i++) {
		size_t place = c->count < places ? i * places / c->count : i;
		size_t offset = take_offset(c, taken, first + place, places, &rng);
		for (size_t v = 0; rc == 0 && v < c->variants; v++)
			if (c->libraries[v].file)
				rc = write_copy(c, v, i, offset, err);
	}
	*paths = (const char *const *)c->paths;
	return rc;
}
