/* What files say of themselves, and what of that is compared. */
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "compare/compare.h"
#include "memfile.h"

static ba_compare_threshold threshold(void *data, const char *benchmark, ba_metric m)
{
	(void)data, (void)benchmark, (void)m;
	return (ba_compare_threshold){.slower = 0.02, .faster = 0.02};
}

static int compare(ba_result *r, const char *one, const char *two, ba_error *err)
{
	BA_AUTO(memfile) memfile a = memfile_of(one, strlen(one));
	BA_AUTO(memfile) memfile b = memfile_of(two, strlen(two));
	const ba_compare_source sources[] = {
		{.label = "a", .path = a.path}, {.label = "b", .path = b.path}};
	const ba_compare_spec spec = {
		.sources = sources, .source_count = 2, .alpha = 0.05, .threshold = threshold};
	return ba_compare(r, &spec, err);
}

#define GO(cpu) "goos: linux\npkg: x\ncpu: " cpu "\nBenchmarkA 10 5 ns/op\n"

TEST(a_name_that_begins_another_is_not_that_one)
{
	static const struct {
		const char *one, *two;
		bool same;
	} rows[] = {
		{GO("H100 NVL"), GO("H100 NVL"), true},
		{GO("H100 NVL") GO("H100"), GO("H100 NVL"), false},
		{GO("H100 NVL") GO("H100"), GO("H100 NVL") GO("H100"), true},
		{GO("H100 NVL") GO("H100 NVL"), GO("H100 NVL"), true},
		{GO("H100") GO("H100 NVL"), GO("H100"), false},
		{GO("100") GO("H100"), GO("100"), false},
		{GO("a") GO("b") GO("a"), GO("a") GO("b"), true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r = {0};
		ba_error err = {0};
		int rc = compare(&r, rows[i].one, rows[i].two, &err);
		if (rc != (rows[i].same ? 0 : BA_EUNSUPPORTED))
			fail_msg("row %zu: %d %s", i, rc, err.text);
		if (rc)
			assert_has(err.text, " differ in cpu ('");
	}
}

/* their index has an end; once it went around, and two metrics were one */
TEST(metrics_without_end_are_refused)
{
	enum { METRICS = 70000 };
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_result) ba_result r = {0};
	ba_error err = {0};
	ba_buf_puts(&text, "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [");
	for (int i = 0; i < METRICS; i++)
		ba_buf_printf(&text, "%s{\"id\": \"x\", \"metric\": \"m%d\", \"values\": [%d]}",
			i ? ", " : "", i, i + 1);
	ba_buf_puts(&text, "]}");
	assert_int_equal(compare(&r, text.data, text.data, &err), BA_EDATA);
	assert_has(err.text, "more than 1000 metrics; choose one with --metric");
}

#define GOOGLE(host, mhz)                                                     \
	"{\"context\": {\"host_name\": \"" host "\", \"mhz_per_cpu\": " mhz   \
	"}, \"benchmarks\": [{\"name\": \"a\", \"run_type\": \"iteration\", " \
	"\"real_time\": 1}]}"

TEST(another_host_or_clock_is_noted)
{
	BA_AUTO(ba_result) ba_result r = {0};
	ba_error err = {0};
	assert_int_equal(compare(&r, GOOGLE("a", "3000"), GOOGLE("b", "2000"), &err), 0);
	BA_AUTO_FREE char *notes = ba_strv_join(&r.run.notes, "\n");
	assert_has(notes, "differ in host ('a' against 'b'), clock in MHz ('3000' against '2000')");
}
