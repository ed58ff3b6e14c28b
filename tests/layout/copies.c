/* Copies are drawn from the seed, evenly, and the same for all variants. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"
#include "layout/copies.h"
#include "movable.h"

enum { N = 8, VARIANTS = 2 };

typedef struct fixture {
	char *dir, *library, *page;
	const char *libraries[VARIANTS];
	char *failures[VARIANTS];
	ba_copies *copies;
} fixture;

static fixture begin(void)
{
	char *dir = ba_xprintf("%s/copies-XXXXXX", BA_MOVED_DIR);
	fixture f = {.dir = dir,
		.library = ba_path_join(BA_MOVED_DIR, "plain.so"),
		.page = ba_path_join(BA_MOVED_DIR, "page.so")};
	f.libraries[0] = f.libraries[1] = f.library;
	assert_non_null(mkdtemp(f.dir));
	return f;
}

static void end(fixture *f)
{
	ba_copies_free(f->copies);
	/* nothing is left */
	assert_int_equal(rmdir(f->dir), 0);
	for (size_t v = 0; v < VARIANTS; v++)
		free(f->failures[v]);
	free(f->library);
	free(f->page);
	free(f->dir);
}

static void open_copies(fixture *f)
{
	ba_error err;
	if (access(f->library, R_OK)) {
		end(f);
		skip();
	}
	if (ba_copies_new(&f->copies, N, f->libraries, f->failures, VARIANTS, f->dir, &err))
		fail_msg("%s", err.text);
}

/* By how much it was moved: the padding in front of the file that it was. */
static size_t offset_of(const char *path, const char *original)
{
	struct stat before, after;
	BA_AUTO(ba_buf) ba_buf copy = BA_BUF_INIT;
	BA_AUTO(ba_movable) ba_movable m = {0};
	assert_int_equal(ba_fs_read(&copy, path, 1 << 26, NULL), 0);
	assert_int_equal(movable_read(&m, original, 4096, NULL), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(stat(original, &before), 0);
	for (size_t k = 0; k < 4096; k += BA_SHIFT_STEP) {
		BA_AUTO(ba_buf) ba_buf moved = BA_BUF_INIT;
		if (!ba_movable_fits(&m, k))
			continue;
		ba_movable_shift(&moved, &m, k);
		if (moved.len == copy.len && memcmp(moved.data, copy.data, copy.len) == 0)
			return k;
	}
	fail_msg("'%s' is no copy", path);
	return 0;
}

static void draw(size_t out[N], fixture *f, uint64_t seed, unsigned invocation)
{
	const char *const *paths = NULL;
	assert_int_equal(ba_copies_draw(&paths, f->copies, seed, "launch", invocation, NULL), 0);
	for (size_t i = 0; i < N; i++) {
		out[i] = offset_of(paths[i], f->library);
		/* all variants alike */
		assert_int_equal(offset_of(paths[N + i], f->library), out[i]);
	}
}

TEST(offsets_follow_from_the_seed_and_differ)
{
	size_t first[N], again[N], next[N], other[N];
	fixture f = begin();
	open_copies(&f);
	draw(first, &f, 1, 0);
	draw(next, &f, 1, 1);
	draw(other, &f, 2, 0);
	draw(again, &f, 1, 0);
	assert_memory_equal(first, again, sizeof(first));
	assert_true(memcmp(first, next, sizeof(first)) != 0);
	assert_true(memcmp(first, other, sizeof(first)) != 0);
	end(&f);
}

TEST(places_in_a_line_are_drawn_evenly)
{
	fixture f = begin();
	BA_AUTO(ba_movable) ba_movable m = {0};
	open_copies(&f);
	assert_int_equal(movable_read(&m, f.library, 4096, NULL), 0);
	for (unsigned invocation = 0; invocation < 5; invocation++) {
		size_t offsets[N], counts[4] = {0};
		draw(offsets, &f, 7, invocation);
		for (size_t i = 0; i < N; i++) {
			counts[offsets[i] % 64 / 16]++;
			for (size_t k = 0; k < i; k++)
				assert_true(offsets[i] != offsets[k]);
		}
		for (size_t place = 0; place < 64; place += m.step)
			assert_int_equal(counts[place / 16], N * m.step / 64);
	}
	end(&f);
}

TEST(what_lies_beside_a_library_lies_beside_its_copies)
{
	const char *const *paths = NULL;
	fixture f = begin();
	open_copies(&f);
	assert_int_equal(ba_copies_draw(&paths, f.copies, 1, "launch", 0, NULL), 0);
	BA_AUTO_FREE char *dir = ba_path_dir(paths[0]);
	BA_AUTO_FREE char *beside = ba_path_join(dir, "page.so");
	BA_AUTO_FREE char *there = realpath(beside, NULL);
	BA_AUTO_FREE char *original = realpath(f.page, NULL);
	assert_string_equal(there, original);
	end(&f);
}

TEST(a_library_that_cannot_be_moved_is_the_failure_of_its_variant)
{
	const char *const *paths = NULL;
	fixture f = begin();
	f.libraries[1] = f.page;
	open_copies(&f);
	assert_null(f.failures[0]);
	assert_has(f.failures[1], "'page.so' cannot be moved: a section is aligned to");
	assert_int_equal(ba_copies_draw(&paths, f.copies, 1, "launch", 0, NULL), 0);
	assert_non_null(paths[0]);
	assert_null(paths[N]);
	end(&f);
}

TEST(more_copies_than_places_are_an_error)
{
	ba_error err;
	fixture f = begin();
	if (access(f.library, R_OK)) {
		end(&f);
		skip();
	}
	assert_int_equal(
		ba_copies_new(&f.copies, 4000, f.libraries, f.failures, VARIANTS, f.dir, &err),
		BA_EINVAL);
	assert_has(err.text, "--layouts 4000: the libraries can be moved to ");
	end(&f);
}
