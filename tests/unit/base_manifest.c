/* What is in a directory, listed, kept and compared. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/manifest.h"
#include "base/mem.h"
#include "base/base.h"

typedef struct folder {
	char dir[32];
} folder;

static void folder_dispose(folder *f)
{
	ba_fs_remove_tree(f->dir, NULL);
}
BA_DEFINE_AUTO(folder, folder_dispose)

static void write_file(const folder *f, const char *name, const char *text)
{
	BA_AUTO_FREE char *path = ba_path_join(f->dir, name);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
	assert_int_equal(ba_fs_write(path, text, strlen(text), 0644, NULL), 0);
}

static folder make(void)
{
	folder f = {.dir = "/tmp/ba_manifest_XXXXXX"};
	assert_non_null(mkdtemp(f.dir));
	write_file(&f, "lib/a.so", "library");
	write_file(&f, "table", "1 2 3");
	write_file(&f, "odd\nname", "");
	BA_AUTO_FREE char *link = ba_path_join(f.dir, "link");
	assert_int_equal(symlink("lib/a.so", link), 0);
	return f;
}

static void scan(ba_manifest *m, const folder *f)
{
	ba_error err = {0};
	if (ba_manifest_scan(m, f->dir, NULL, NULL, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.code, 0);
}

static bool note(void *data, const ba_manifest_entry *a, const ba_manifest_entry *b)
{
	ba_buf *out = data;
	ba_buf_printf(out, "%s%s ", a ? (b ? "~" : "-") : "+", a ? a->path : b->path);
	return true;
}

static void assert_differs(
	const ba_manifest *a, const ba_manifest *b, const ba_strv *without, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	char x[65], y[65];
	ba_manifest_diff(a, b, without, note, &text);
	assert_string_equal(text.len ? text.data : "", expected);
	ba_manifest_digest(x, a, without, NULL);
	ba_manifest_digest(y, b, without, NULL);
	assert_int_equal(strcmp(x, y) == 0, !*expected);
}

TEST(everything_is_listed_in_order_with_its_digest)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	char sum[65];
	scan(&m, &f);
	static const char *const paths[] = {"lib", "lib/a.so", "link", "odd\nname", "table"};
	assert_int_equal(m.count, 5);
	for (size_t i = 0; i < m.count; i++)
		assert_string_equal(m.entries[i].path, paths[i]);
	ba_sha256_of(sum, "library", 7);
	assert_string_equal(m.entries[1].sha256, sum);
	assert_int_equal(m.entries[1].mode, 0644);
	ba_sha256_of(sum, "lib/a.so", 8);
	assert_int_equal(m.entries[2].kind, BA_MANIFEST_LINK);
	assert_string_equal(m.entries[2].sha256, sum);
}

TEST(it_is_the_same_after_it_was_written_and_read)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest m = {0}, again = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	scan(&m, &f);
	ba_manifest_format(&text, &m);
	assert_int_equal(ba_manifest_parse(&again, text.data, text.len, NULL), 0);
	assert_int_equal(again.count, m.count);
	assert_differs(&m, &again, NULL, "");
}

/* each byte turned into another one: an error, or another list */
TEST(a_list_that_was_damaged_is_refused_or_another_one)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	char sum[65], other[65];
	scan(&m, &f);
	ba_manifest_digest(sum, &m, NULL, NULL);
	ba_manifest_format(&text, &m);
	for (size_t i = 0; i < text.len; i++) {
		BA_AUTO(ba_manifest) ba_manifest again = {0};
		text.data[i] ^= 1;
		if (ba_manifest_parse(&again, text.data, text.len, NULL) == 0) {
			ba_manifest_digest(other, &again, NULL, NULL);
			assert_string_not_equal(other, sum);
		}
		text.data[i] ^= 1;
	}
	BA_AUTO(ba_manifest) ba_manifest cut = {0};
	assert_int_equal(ba_manifest_parse(&cut, text.data, text.len - 1, NULL), BA_EDATA);
}

TEST(what_was_changed_added_and_removed_is_told)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest before = {0}, after = {0};
	scan(&before, &f);
	BA_AUTO_FREE char *table = ba_path_join(f.dir, "table");
	BA_AUTO_FREE char *link = ba_path_join(f.dir, "link");
	BA_AUTO_FREE char *odd = ba_path_join(f.dir, "odd\nname");
	assert_int_equal(chmod(table, 0600), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("lib/b.so", link), 0);
	assert_int_equal(unlink(odd), 0);
	write_file(&f, "lib/a.so", "libraru");
	write_file(&f, "new/file", "");
	scan(&after, &f);
	assert_differs(&before, &after, NULL, "~lib/a.so ~link +new +new/file -odd\nname ~table ");
	BA_AUTO(ba_strv) ba_strv without = {0};
	ba_strv_push(&without, "lib");
	ba_strv_push(&without, "new");
	ba_strv_push(&without, "o*");
	assert_differs(&before, &after, &without, "~link ~table ");
}

TEST(a_thousand_files_are_read_by_several_threads)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest a = {0}, b = {0};
	for (int i = 0; i < 1000; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("d%d/f%d", i % 7, i);
		write_file(&f, name, name);
	}
	scan(&a, &f);
	scan(&b, &f);
	assert_int_equal(a.count, 5 + 7 + 1000);
	assert_differs(&a, &b, NULL, "");
	for (size_t i = 0; i < a.count; i++) {
		const ba_manifest_entry *e = &a.entries[i];
		char sum[65];
		if (e->path[0] != 'd' || e->kind != BA_MANIFEST_FILE)
			continue;
		ba_sha256_of(sum, e->path, strlen(e->path));
		assert_string_equal(e->sha256, sum);
	}
}

static bool always(void *data)
{
	(void)data;
	return true;
}

TEST(a_scan_can_be_stopped_and_fails_with_the_path)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	ba_error err = {0};
	assert_int_equal(ba_manifest_scan(&m, f.dir, always, NULL, &err), BA_EINTERRUPTED);
	assert_int_equal(ba_manifest_scan(&m, "/nowhere/at all", NULL, NULL, &err), BA_EIO);
	assert_has(err.text, "/nowhere/at all");
	assert_int_equal(m.count, 0);
}

/* a pipe would be waited for without an end */
TEST(what_is_no_file_is_listed_and_not_read)
{
	BA_AUTO(folder) folder f = make();
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	BA_AUTO_FREE char *pipe = ba_path_join(f.dir, "pipe");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	scan(&m, &f);
	assert_int_equal(m.count, 6);
	assert_int_equal(m.entries[4].kind, BA_MANIFEST_OTHER);
	assert_string_equal(m.entries[4].sha256, "");
}
