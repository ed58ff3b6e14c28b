/* the progress line: when it appears, what it says, and that it goes away */
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/progress.h"

typedef struct fixture {
	int read_end, write_end;
	ba_progress p;
	char got[4096];
} fixture;

static void setup(fixture *f, ba_progress_mode mode)
{
	int fds[2];
	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	f->read_end = fds[0];
	f->write_end = fds[1];
	ba_progress_init(&f->p, f->write_end, mode, false, 0);
	f->p.width = 72;
}

static const char *written(fixture *f)
{
	ssize_t n = read(f->read_end, f->got, sizeof(f->got) - 1);
	f->got[n > 0 ? n : 0] = '\0';
	return f->got;
}

static void teardown(fixture *f)
{
	ba_progress_dispose(&f->p);
	close(f->read_end);
	close(f->write_end);
}

TEST(nothing_in_the_first_second)
{
	fixture f;
	setup(&f, BA_PROGRESS_LINE);
	ba_progress_phase(&f.p, "measuring", 0);
	ba_progress_set(&f.p, 0.5, NULL, BA_SECOND - 1);
	assert_string_equal(written(&f), "");
	ba_progress_set(&f.p, 0.5, "launch/args=2", BA_SECOND);
	assert_string_equal(written(&f),
		"\r[########........]  50 % 0:01 left  measuring: launch/args=2\033[K");
	ba_progress_set(&f.p, 0.6, NULL, BA_SECOND + 50 * BA_MS);
	assert_string_equal(written(&f), ""); /* ten times a second is enough */
	ba_progress_clear(&f.p);
	assert_string_equal(written(&f), "\r\033[K");
	ba_progress_clear(&f.p);
	assert_string_equal(written(&f), "");
	teardown(&f);
}

TEST(a_log_line_stands_above)
{
	fixture f;
	setup(&f, BA_PROGRESS_LINE);
	ba_progress_log(&f.p, "early", 0);
	assert_string_equal(written(&f), "early\n");
	ba_progress_phase(&f.p, "building", 2 * BA_SECOND);
	written(&f);
	ba_progress_log(&f.p, "v2\033[2J", 3 * BA_SECOND);
	assert_string_equal(written(&f), "\r\033[Kv2\\x1b[2J\n\r0:01  building\033[K");
	teardown(&f);
}

TEST(a_pipe_gets_a_line_every_20_seconds)
{
	fixture f;
	setup(&f, BA_PROGRESS_AUTO);
	ba_progress_phase(&f.p, "building", 0);
	ba_progress_phase(&f.p, "measuring", 12 * BA_SECOND);
	ba_progress_set(&f.p, 0.5, "x", 19 * BA_SECOND);
	assert_string_equal(written(&f), "");
	ba_progress_set(&f.p, 0.6, "x", 21 * BA_SECOND);
	ba_progress_set(&f.p, 0.9, "x", 40 * BA_SECOND);
	assert_string_equal(written(&f), "measuring: 60 %, 0:06 left: x\n");
	ba_progress_phase(&f.p, "more", 42 * BA_SECOND);
	assert_string_equal(written(&f), "more\n");
	teardown(&f);
}

TEST(plain_lines_come_every_tenth)
{
	fixture f;
	setup(&f, BA_PROGRESS_PLAIN);
	ba_progress_phase(&f.p, "measuring", 0);
	for (int i = 0; i <= 100; i++)
		ba_progress_set(&f.p, i / 100.0, NULL, i * BA_SECOND / 10);
	size_t lines = 0;
	const char *text = written(&f);
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_in_range(lines, 10, 12);
	assert_has(text, "measuring\n");
	assert_has(text, "measuring: 50 %, 0:05 left\n");
	assert_has(text, "measuring: 100 %\n");
	assert_null(strchr(text, '\r'));
	teardown(&f);
}

TEST(the_line_fits_whatever_the_text)
{
	fixture f;
	setup(&f, BA_PROGRESS_LINE);
	f.p.unicode = true;
	ba_progress_phase(&f.p, "測定しています", 0);
	for (size_t width = 12; width < 90; width++) {
		f.p.fraction = 0.3;
		free(f.p.text);
		f.p.text = strdup("launch/args=2,測定しています,path=signature-with-a-long-name");
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_progress_render(&out, &f.p, 10 * BA_SECOND, width);
		assert_true(ba_text_width(out.data) <= width);
	}
	teardown(&f);
}

TEST(times_read_like_a_clock)
{
	static const struct {
		double seconds;
		const char *text;
	} rows[] = {{0.2, "0:00"}, {7, "0:07"}, {59.6, "1:00"}, {5025, "1:23:45"}, {-1, "0:00"},
		{1e12, "99:59:59"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_progress_time(&out, rows[i].seconds);
		assert_string_equal(out.data, rows[i].text);
	}
}
