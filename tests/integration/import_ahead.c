#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "import/ahead.h"

/* what a sink was told, as text */
typedef struct told {
	ba_buf text;
	size_t records, most; /* more than that are an error; 0: any */
} told;

static void on_field(void *data, const char *name, const char *value, bool must_match)
{
	told *t = data;
	ba_buf_printf(&t->text, "field %s=%s %d\n", name, value, must_match);
}

static void on_warning(void *data, const char *text)
{
	told *t = data;
	ba_buf_printf(&t->text, "warning %s\n", text);
}

static int on_record(void *data, const ba_record *r, ba_error *err)
{
	told *t = data;
	if (t->most && t->records == t->most)
		return ba_fail(err, BA_EINVAL, "that is enough");
	t->records++;
	ba_buf_printf(&t->text, "%s %s %d%d%d %d %d %s|%s", r->id, r->metric,
		r->is_time, r->higher_is_better, r->whole, r->direction, r->level,
		r->failure ? r->failure : "", r->skipped ? r->skipped : "");
	for (size_t i = 0; i < r->count; i++)
		ba_buf_printf(&t->text, " %.17g", r->values[i]);
	ba_buf_puts(&t->text, "\n");
	return 0;
}

static ba_sink sink_of(told *t, const char *metric)
{
	*t = (told){.text = BA_BUF_INIT};
	return (ba_sink){.data = t,
		.field = on_field,
		.record = on_record,
		.warn = on_warning,
		.metric = metric,
		.takes_zeros = true};
}

static char path[] = "/tmp/import_ahead.XXXXXX";

static void write_file(const ba_buf *text)
{
	assert_int_equal(ba_fs_write(path, text->data, text->len, 0600, NULL), 0);
}

static void check_same(const char *metric)
{
	told alone, ahead;
	ba_error a = {0}, b = {0};
	const ba_import_format *format = NULL, *other = NULL;
	ba_sink sink = sink_of(&alone, metric);
	int rc = ba_import_read(&format, path, NULL, &sink, &a);
	sink = sink_of(&ahead, metric);
	BA_AUTO_PTR(ba_ahead) ba_ahead *reading = ba_ahead_start(path, NULL, &sink);
	assert_non_null(reading);
	assert_int_equal(ba_ahead_take(reading, &other, &sink, &b), rc);
	assert_string_equal(a.text, b.text);
	assert_ptr_equal(format, other);
	assert_int_equal(alone.records, ahead.records);
	assert_string_equal(alone.text.data, ahead.text.data);
	ba_buf_dispose(&alone.text);
	ba_buf_dispose(&ahead.text);
}

/* more than the thread may be ahead */
static ba_buf go_text(void)
{
	ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "goos: linux\npkg: example.com/x\n");
	for (int i = 0; i < 25000; i++)
		for (int k = 0; k < 1 + i % 4; k++)
			ba_buf_printf(&text,
				"BenchmarkX/n=%d-8 100 %s%d.5 ns/op %d B/op\n", i,
				(i + k) % 1000 ? "" : "x", i + k, k);
	return text;
}

static void the_sink_is_told_the_same(void **state)
{
	(void)state;
	BA_AUTO(ba_buf) ba_buf text = go_text();
	write_file(&text);
	check_same(NULL);
	check_same("B/op");
}

static void a_record_longer_than_a_block_is_told(void **state)
{
	(void)state;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"schema\":\"bench-against.samples/1\",\"benchmarks\":[");
	for (int i = 0; i < 3; i++) {
		ba_buf_printf(
			&text, "%s{\"id\":\"b%d\",\"values\":[1", i ? "," : "", i);
		for (int k = 0; k < 100000 * (i + 1); k++)
			ba_buf_printf(&text, ",%d", k);
		ba_buf_puts(&text, "]},{\"id\":\"c\",\"failure\":\"it broke\"}");
	}
	ba_buf_puts(&text, "]}");
	write_file(&text);
	check_same(NULL);
}

static void an_error_comes_behind_what_was_read(void **state)
{
	(void)state;
	BA_AUTO(ba_buf) ba_buf text = go_text();
	ba_buf_puts(&text, "BenchmarkCut 100 12.5\n");
	write_file(&text);
	check_same(NULL);
	assert_int_equal(unlink(path), 0);
	check_same(NULL);
}

static void who_takes_it_may_stop(void **state)
{
	(void)state;
	BA_AUTO(ba_buf) ba_buf text = go_text();
	write_file(&text);
	for (size_t most = 1; most < 200000; most *= 37) {
		told t;
		ba_error err = {0};
		const ba_import_format *format;
		const ba_sink sink = sink_of(&t, NULL);
		t.most = most;
		BA_AUTO_PTR(ba_ahead)
		ba_ahead *reading = ba_ahead_start(path, NULL, &sink);
		assert_int_equal(
			ba_ahead_take(reading, &format, &sink, &err), BA_EINVAL);
		assert_string_equal(err.text, "that is enough");
		assert_int_equal(t.records, most);
		ba_buf_dispose(&t.text);
	}
	/* or never begin */
	told t;
	const ba_sink sink = sink_of(&t, NULL);
	ba_ahead_free(ba_ahead_start(path, NULL, &sink));
	ba_buf_dispose(&t.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sink_is_told_the_same),
		cmocka_unit_test(a_record_longer_than_a_block_is_told),
		cmocka_unit_test(an_error_comes_behind_what_was_read),
		cmocka_unit_test(who_takes_it_may_stop),
	};
	int fd = mkstemp(path);
	close(fd);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
