/* Parts of a large document: those of the whole, and the same sentences about it. */
#include "test.h"

#include <fcntl.h>

#include "base/buf.h"
#include "base/mem.h"
#include "json/file.h"
#include "memfile.h"

static const char *const lists[] = {"a", "b", NULL};
static const ba_json_options strict = {
	.name = "r.json", .positions = true, .unique_keys = true, .depth = 8};

/* more than the window that moves over a file */
enum { LARGE = 300 * 1000 };

static ba_json_file *opened(const char *text, size_t size)
{
	ba_json_file *f = NULL;
	ba_error err = {0};
	BA_AUTO(memfile) memfile m = memfile_of(text, size);
	if (ba_json_file_open(&f, m.path, lists, &strict, &err))
		fail_msg("%s", err.text);
	return f;
}

static uint64_t number_at(ba_json_file *f, size_t list, size_t index)
{
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	uint64_t n = 0;
	assert_int_equal(ba_json_file_element(&one, f, list, index, NULL), 0);
	assert_int_equal(ba_json_get_u64(&n, ba_json_root(one), "n", 0, UINT64_MAX, NULL), 0);
	return n;
}

TEST(a_head_has_all_but_the_lists)
{
	static const char text[] =
		"\xef\xbb\xbf{\"x\":1, \"b\" : [ {\"n\":7} , {\"n\": 8}\n ,\n{\"n\":9} "
		"],\n \"inner\": {\"a\": [1, 2]}, \"a\":[],\"y\":[3]} ";
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = opened(text, strlen(text));
	BA_AUTO_PTR(ba_json) ba_json *head = NULL;
	assert_int_equal(ba_json_file_head(&head, f, NULL), 0);
	ba_json_value root = ba_json_root(head);
	assert_int_equal(ba_json_count(root), 5);
	assert_int_equal(ba_json_count(ba_json_find(root, "b")), 0);
	assert_int_equal(ba_json_count(ba_json_find(root, "y")), 1);
	ba_json_value inner = ba_json_find(ba_json_find(root, "inner"), "a");
	assert_int_equal(ba_json_count(inner), 2);
	/* in the lines of the file, behind what was cut */
	assert_int_equal(ba_json_line(inner), 4);
	assert_int_equal(ba_json_line(ba_json_find(root, "x")), 1);
	assert_int_equal(ba_json_file_count(f, 0), 0);
	assert_int_equal(ba_json_file_count(f, 1), 3);
	/* in any order */
	assert_int_equal(number_at(f, 1, 2), 9);
	assert_int_equal(number_at(f, 1, 0), 7);
	assert_int_equal(number_at(f, 1, 1), 8);
}

TEST(lists_that_are_none_are_left_in_the_head)
{
	static const char *const texts[] = {
		"{\"a\": {\"n\": [1, 2]}, \"b\": 3}", "[[1, 2], {\"a\": [3]}]", "7"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		BA_AUTO_PTR(ba_json_file)
		ba_json_file *f = opened(texts[i], strlen(texts[i]));
		BA_AUTO_PTR(ba_json) ba_json *head = NULL;
		assert_int_equal(ba_json_file_count(f, 0), 0);
		assert_int_equal(ba_json_file_count(f, 1), 0);
		assert_int_equal(ba_json_file_head(&head, f, NULL), 0);
	}
}

TEST(errors_have_lines_and_paths_of_the_whole)
{
	static const char text[] = "{\n\"a\": [{\"n\": 1},\n {\"n\": 2}, "
				   "{\"m\": [0,\n \"x\"]}]\n}";
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = opened(text, strlen(text));
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	ba_error err;
	double d;
	assert_int_equal(ba_json_file_element(&one, f, 0, 2, &err), 0);
	ba_json_value m = ba_json_find(ba_json_root(one), "m");
	assert_int_equal(ba_json_as_f64(&d, ba_json_at(m, 1), &err), BA_EDATA);
	assert_string_equal(err.text, "r.json: line 4: $.a[2].m[1] must be a number, is a string");
	ba_json_get(&m, ba_json_root(one), "k", &err);
	assert_string_equal(err.text, "r.json: line 3: $.a[2] has no 'k'");
}

/* Read whole, in parts, and in parts from a file: one sentence. */
static void assert_one_sentence(const char *text, size_t size)
{
	BA_AUTO(memfile) memfile m = memfile_of(text, size);
	ba_json *doc = NULL;
	ba_json_file *f = NULL;
	ba_error whole = {0}, parts = {0}, file = {0};
	int rc = ba_json_parse(&doc, text, size, &strict, &whole);
	ba_json_free(doc);
	assert_int_equal(ba_json_file_parse(&f, text, size, lists, &strict, &parts), rc);
	ba_json_file_free(f);
	f = NULL;
	assert_int_equal(ba_json_file_open(&f, m.path, lists, &strict, &file), rc);
	ba_json_file_free(f);
	assert_string_equal(parts.text, whole.text);
	assert_string_equal(file.text, whole.text);
}

TEST(damage_is_told_as_of_a_document_that_is_read_whole)
{
	static const char *const texts[] = {"", " \n", "{", "{\"a\":[", "{\"a\":[1,]}", "{\"a\":[1",
		"{\"a\":[{\"n\":1,\n\"n\":2}]}", "{\"a\":[1],\"a\":[2]}",
		"{\"a\":[],\n\"\\u0061\":[2]}", "[{\"x y\":{\"k\":1,\n\"k\":2}}]",
		"{\"a\":[\"\xff\"]}", "{\"a\":[[[[[[[[[1]]]]]]]]]}", "{} x", "[01]", "{\"a\" 1}",
		"{\"a\":[1]]", "{\"a\":[\"\\ud800\"]}", "\xef\xbb", "{\"a\": nul}", "{\"a\": \"b",
		"\"\\u00"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_one_sentence(texts[i], strlen(texts[i]));
}

/* What the window cuts in two is put together again, wherever the cut is. */
TEST(a_window_over_a_file_cuts_nothing)
{
	static const char odd[] =
		"{\"n\": 12345678, \"k\\u00e9y\": \"\\ud83d\\ude00 \xf0\x9f\x98\x80 "
		"\xe2\x82\xac\\n\", \"t\": [true, false, null, -1.5e-300]}";
	for (size_t shift = 0; shift < sizeof(odd); shift++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_buf_puts(&text, "{\"a\": [");
		ba_buf_pad(&text, ' ', (1 << 18) - sizeof(odd) - 7 + shift);
		size_t count = 0;
		for (; text.len < LARGE; count++) {
			ba_buf_puts(&text, count ? ",\n" : "");
			ba_buf_puts(&text, odd);
		}
		ba_buf_puts(&text, "]}");
		BA_AUTO_PTR(ba_json_file) ba_json_file *f = opened(text.data, text.len);
		assert_int_equal(ba_json_file_count(f, 0), count);
		for (size_t i = 0; i < count; i += 97)
			assert_int_equal(number_at(f, 0, i), 12345678);
		assert_int_equal(number_at(f, 0, count - 1), 12345678);
		text.data[(1 << 18) + 3] = '\x01';
		assert_one_sentence(text.data, text.len);
		text.data[text.len - 2] = '}';
		assert_one_sentence(text.data, (1 << 18) + 2);
	}
}

/* longer than the window, too */
TEST(a_large_element_is_one)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	const char *word;
	ba_buf_puts(&text, "{\"b\": [{\"n\": 1}, {\"w\": \"");
	ba_buf_pad(&text, 'x', LARGE);
	ba_buf_puts(&text, "\"}, {\"n\": 3}]}");
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = opened(text.data, text.len);
	assert_int_equal(ba_json_file_element(&one, f, 1, 1, NULL), 0);
	assert_int_equal(ba_json_get_string(&word, ba_json_root(one), "w", NULL), 0);
	assert_int_equal(strlen(word), LARGE);
	assert_int_equal(number_at(f, 1, 0), 1);
	assert_int_equal(number_at(f, 1, 2), 3);
}

TEST(a_part_has_a_ceiling_and_the_file_has_none)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"b\": [");
	for (size_t i = 0; i < 1000; i++)
		ba_buf_printf(&text, "{\"n\": %zu},", i);
	ba_buf_puts(&text, "{\"n\": 1000            }]}");
	BA_AUTO(memfile) memfile m = memfile_of(text.data, text.len);
	ba_json_options small = strict;
	small.ceiling = 16;
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = NULL;
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	ba_error err = {0};
	assert_int_equal(ba_json_file_open(&f, m.path, lists, &small, &err), 0);
	assert_int_equal(number_at(f, 1, 999), 999);
	assert_int_equal(ba_json_file_element(&one, f, 1, 1000, &err), BA_EDATA);
	assert_string_equal(err.text, "r.json: larger than the limit of 16 bytes");
}

TEST(a_file_that_shrinks_meanwhile_is_told)
{
	static const char text[] = "{\"a\": [{\"n\": 1}]}";
	BA_AUTO(memfile) memfile m = memfile_of(text, strlen(text));
	BA_AUTO(ba_buf) ba_buf large = BA_BUF_INIT;
	ba_buf_puts(&large, "{\"a\": [{\"n\": 1}, \"");
	ba_buf_pad(&large, 'x', LARGE);
	ba_buf_puts(&large, "\"]}");
	assert_int_equal(pwrite(m.fd, large.data, large.len, 0), (ssize_t)large.len);
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = NULL;
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	ba_error err = {0};
	assert_int_equal(ba_json_file_open(&f, m.path, lists, &strict, &err), 0);
	assert_int_equal(ftruncate(m.fd, 5), 0);
	assert_int_equal(ba_json_file_element(&one, f, 0, 0, &err), BA_EIO);
	assert_string_equal(err.text, "cannot read 'r.json': it changed while it was read");
}

TEST(a_pipe_is_read_whole)
{
	static const char text[] = "{\"a\": [{\"n\": 4}, {\"n\": 5}]}";
	int ends[2];
	char path[32];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = NULL;
	assert_int_equal(ba_json_file_open(&f, path, lists, &strict, NULL), 0);
	close(ends[0]);
	assert_int_equal(number_at(f, 0, 1), 5);
}
