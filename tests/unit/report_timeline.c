/* a benchmark over commits, as text and as a picture, with names from anywhere */
#include "test.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/timeline/timeline.h"

#define HOSTILE                                                         \
	"<script>alert(1)</script>]]>&\"'\033[31m\n::error::x\xff,=1+1" \
	"\xe2\x80\xae"

enum { ROWS = 12 };

static ba_timeline example(ba_timeline_row *rows, ba_change_point *change)
{
	static char commits[ROWS][41];
	for (size_t i = 0; i < ROWS; i++) {
		snprintf(commits[i], sizeof(commits[i]), "%040zx", 0xabcde00 + i);
		rows[i] = (ba_timeline_row){.commit = commits[i],
			.date = "2026-01-31T12:00:00Z",
			.subject = "launch: keep the state",
			.runs = 1 + (unsigned)(i % 3),
			.ns = (i < 7 ? 2500 : 2750) + 5 * (double)(i % 4),
			.stdev_ns = 40,
			.least_ns = 2490 + (i < 7 ? 0 : 250),
			.most_ns = 2530 + (i < 7 ? 0 : 250),
			.ratio = NAN,
			.low = NAN,
			.high = NAN};
	}
	*change = (ba_change_point){.at = 7, .p = 0.002, .before = 2505, .after = 2755};
	rows[7].ratio = 1.1;
	rows[7].low = 1.098;
	rows[7].high = 1.102;
	rows[7].verdict = "regressed";
	rows[7].baseline = commits[6];
	return (ba_timeline){.benchmark = "launch/args=2",
		.metric = "submit",
		.target = "gpu",
		.device = "NVIDIA H200",
		.rows = rows,
		.count = ROWS,
		.changes = change,
		.change_count = 1,
		.alpha = 1,
		.least = 3};
}

TEST(the_level_and_its_change_are_told)
{
	ba_timeline_row rows[ROWS];
	ba_change_point change;
	ba_timeline t = example(rows, &change);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const ba_format_options options = {.width = 110};
	ba_timeline_term(&out, &t, &options);
	assert_has(out.data, "launch/args=2  submit, ns, NVIDIA H200\n");
	assert_has(out.data, "^ +10.0 %");
	assert_has(out.data, "+10.00 % regressed from 0000");
	assert_has(out.data, "the level went from 2505 to 2755 ns (p 0.002)");
	assert_has(out.data, "To confirm this, run:\n    bench-against ");
	char *save = NULL;
	for (char *line = strtok_r(out.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(ba_text_width(line) <= 110);
	t.change_count = 0;
	ba_buf_clear(&out);
	ba_timeline_term(&out, &t, &options);
	assert_has(out.data, "Found no change of the level in 12 commits (E-divisive, "
			     "error rate 1 %)");
	t.count = 5;
	ba_buf_clear(&out);
	ba_timeline_term(&out, &t, &options);
	assert_has(out.data, "5 commits are too few to distinguish");
}

/* one unit for the rows, the sentence, the list and the picture */
TEST(times_have_the_unit_that_people_read)
{
	static const struct {
		double factor;
		const char *metric, *title, *change, *latest, *axis;
	} rows[] = {
		{1, "time", "  time, us, ", "2.505 to 2.755 us", "2.765 us", ">\u00b5s (axis"},
		{1e4, "gpu_cold", "  gpu_cold, ms, ", "25.05 to 27.55 ms", "27.65 ms", ">ms (axis"},
		{100, "submit", "  submit, us, ", "250.5 to 275.5 us", "276.5 us",
			">\u00b5s (axis"},
		{1e6, "later", "  later, s, ", "2.505 to 2.755 s", "2.765 s", ">s (axis"},
		{1, "value", "  value, NVIDIA", "2505 to 2755 (p", "2765",
			">(axis does not begin at zero)<"},
		{0.2, "value", "  value, NVIDIA", "from 501 to 551 (p", "553",
			">(axis does not begin"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_timeline_row points[ROWS];
		ba_change_point change;
		ba_timeline t = example(points, &change);
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		const ba_format_options options = {.width = 120};
		for (size_t k = 0; k < ROWS; k++) {
			points[k].ns *= rows[i].factor;
			points[k].least_ns *= rows[i].factor;
			points[k].most_ns *= rows[i].factor;
		}
		change.before *= rows[i].factor;
		change.after *= rows[i].factor;
		t.metric = rows[i].metric;
		ba_timeline_term(&out, &t, &options);
		assert_has(out.data, rows[i].title);
		assert_has(out.data, rows[i].change);
		ba_buf_clear(&out);
		ba_timelines_term(&out, &t, 1, &options);
		assert_has(out.data, rows[i].latest);
		ba_buf_clear(&out);
		ba_timeline_svg(&out, &t);
		assert_has(out.data, rows[i].axis);
	}
}

/* what it suggests is a word for each, whatever is in a name */
TEST(the_command_measures_as_the_figures_were)
{
	static const struct {
		const char *benchmark, *metric, *target, *directory, *says;
	} rows[] = {
		{"launch/args=0", "submit", "gpu", NULL,
			"\n    bench-against --filter launch/args=0 "},
		{"launch/args=0", "roundtrip", "gpu", NULL,
			"bench-against --metrics roundtrip --verdict-on roundtrip --filter "},
		{"launch/args=0", "host", "host", "my repo",
			"bench-against --directory 'my repo' --target host --filter "},
		{"it's[1]*", "time", "cpu", NULL, "bench-against --filter 'it'\\''s[[]1][*]' "},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_timeline_row points[ROWS];
		ba_change_point change;
		ba_timeline t = example(points, &change);
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		const ba_format_options options = {.width = 40};
		t.benchmark = rows[i].benchmark;
		t.metric = rows[i].metric;
		t.target = rows[i].target;
		t.directory = rows[i].directory;
		ba_timeline_term(&out, &t, &options);
		assert_has(out.data, rows[i].says);
	}
}

TEST(the_picture_has_each_commit)
{
	ba_timeline_row rows[ROWS];
	ba_change_point change;
	ba_timeline t = example(rows, &change);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_timeline_svg(&out, &t);
	size_t points = 0, levels = 0;
	for (const char *c = out.data; (c = strstr(c, "<circle")); c++)
		points++;
	for (const char *c = out.data; (c = strstr(c, "class=\"level\"")); c++)
		levels++;
	assert_int_equal(points, ROWS);
	assert_int_equal(levels, 2);
	assert_has(out.data, ">ns (axis does not begin at zero)<");
	assert_has(out.data, "class=\"worse\">+10.0 % at 0000");
	assert_null(strstr(out.data, "nan"));
	/* a name as long as the picture, and the device below it */
	char name[200];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	t.benchmark = name;
	ba_buf_clear(&out);
	ba_timeline_svg(&out, &t);
	const char *drawn = strstr(out.data, "class=\"title\">");
	assert_non_null(drawn);
	assert_in_range(strcspn(drawn, "<"), 90, 120);
	assert_has(out.data, "y=\"48.0\" text-anchor=\"end\" class=\"dim\">NVIDIA H200<");
	/* one commit, and equal figures, too */
	t.count = 1;
	t.change_count = 0;
	rows[0].stdev_ns = NAN;
	ba_buf_clear(&out);
	ba_timeline_svg(&out, &t);
	assert_null(strstr(out.data, "nan"));
	assert_null(strstr(out.data, "inf"));
}

TEST(names_from_anywhere_stay_names)
{
	ba_timeline_row rows[ROWS];
	ba_change_point change;
	ba_timeline t = example(rows, &change);
	t.benchmark = t.device = t.metric = HOSTILE;
	for (size_t i = 0; i < ROWS; i++)
		rows[i].subject = rows[i].commit = rows[i].date = HOSTILE;
	rows[7].verdict = rows[7].baseline = HOSTILE;
	const ba_format_options options = {.width = 100};
	BA_AUTO(ba_buf) ba_buf term = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf csv = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf json = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
	ba_timeline_term(&term, &t, &options);
	ba_timelines_term(&term, &t, 1, &options);
	ba_timelines_csv(&csv, &t, 1);
	ba_timelines_json(&json, &t, 1);
	ba_timeline_svg(&svg, &t);
	const ba_buf *const all[] = {&term, &csv, &json, &svg};
	for (size_t i = 0; i < 4; i++) {
		assert_null(strchr(all[i]->data, '\033'));
		assert_null(strstr(all[i]->data, "\n::error"));
		assert_int_equal(strlen(all[i]->data), all[i]->len);
	}
	assert_null(strstr(svg.data, "<script"));
	assert_null(strstr(svg.data, "]]>"));
	assert_null(strstr(svg.data, "\xe2\x80\xae"));
	/* rows stay rows */
	size_t lines = 0;
	for (const char *c = csv.data; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 1 + ROWS);
}
