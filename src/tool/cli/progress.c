#include "cli/progress.h"

#include <sys/ioctl.h>

#define SHOW_AFTER_NS BA_SECOND
#define REDRAW_NS (100 * BA_MS)

const char *const ba_progress_modes[] = {"auto", "line", "plain", "never", NULL};

size_t ba_terminal_width(int fd)
{
	struct winsize size;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	const char *columns = getenv("COLUMNS");
	uint64_t value;
	if (columns && ba_parse_u64(&value, columns, 20, 1000, "COLUMNS", NULL) == 0)
		return (size_t)value;
	return 80;
}

void ba_progress_init(ba_progress *p, int fd, ba_progress_mode mode, bool unicode, int64_t now_ns)
{
	int64_t every_ns = 0;
	if (mode == BA_PROGRESS_AUTO) {
		const char *term = getenv("TERM");
		bool dumb = term && strcmp(term, "dumb") == 0;
		mode = isatty(fd) && !dumb ? BA_PROGRESS_LINE : BA_PROGRESS_PLAIN;
		every_ns = 20 * BA_SECOND;
	}
	*p = (ba_progress){
		.fd = fd,
		.mode = mode,
		.unicode = unicode,
		.every_ns = every_ns,
		.began_ns = now_ns,
		.drawn_ns = now_ns,
		.phase_ns = now_ns,
		.fraction = -1,
		.printed = -1,
		.phase = ba_xstrdup(""),
		.text = ba_xstrdup(""),
	};
}

void ba_progress_time(ba_buf *out, double seconds)
{
	if (!(seconds >= 0))
		seconds = 0;
	if (seconds > 359999)
		seconds = 359999;
	unsigned s = (unsigned)(seconds + 0.5);
	if (s >= 3600)
		ba_buf_printf(out, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
	else
		ba_buf_printf(out, "%u:%02u", s / 60, s % 60);
}

static void bar(ba_buf *out, double fraction, bool unicode)
{
	enum { CELLS = 16 };
	unsigned full = (unsigned)(fraction * CELLS + 0.5);
	ba_buf_putc(out, '[');
	for (unsigned i = 0; i < CELLS; i++)
		ba_buf_puts(out, i < full ? (unicode ? "█" : "#") : (unicode ? "░" : "."));
	ba_buf_puts(out, "] ");
}

void ba_progress_render(ba_buf *out, const ba_progress *p, int64_t now_ns, size_t width)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	double elapsed = (double)(now_ns - p->phase_ns) / (double)BA_SECOND;
	if (p->fraction >= 0 && width >= 50)
		bar(&line, p->fraction, p->unicode);
	if (p->fraction >= 0)
		ba_buf_printf(&line, "%3.0f %% ", p->fraction * 100);
	if (p->fraction >= 0.02 && p->fraction < 1) {
		ba_progress_time(&line, elapsed * (1 - p->fraction) / p->fraction);
		ba_buf_puts(&line, " left  ");
	} else if (p->fraction < 0) {
		ba_progress_time(&line, elapsed);
		ba_buf_puts(&line, "  ");
	}
	ba_buf_puts(&line, p->phase);
	if (*p->text)
		ba_buf_printf(&line, "%s%s", *p->phase ? ": " : "", p->text);
	BA_AUTO_FREE char *cut = ba_text_cut(line.data, width, p->unicode);
	ba_buf_puts(out, cut);
}

static void put(ba_progress *p, const ba_buf *text)
{
	(void)ba_fs_write_all(p->fd, text->data, text->len);
}

static void draw(ba_progress *p, int64_t now_ns)
{
	/* the last column stays free: some terminals wrap when it is written */
	size_t width = (p->width ? p->width : ba_terminal_width(p->fd)) - 1;
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, "\r");
	ba_progress_render(&out, p, now_ns, width);
	ba_buf_puts(&out, "\033[K");
	put(p, &out);
	p->drawn_ns = now_ns;
	p->shown = true;
}

static void print_plain(ba_progress *p, int64_t now_ns)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, p->phase);
	if (p->fraction >= 0) {
		double elapsed = (double)(now_ns - p->phase_ns) / (double)BA_SECOND;
		ba_buf_printf(&out, ": %.0f %%", p->fraction * 100);
		if (p->fraction >= 0.02 && p->fraction < 1) {
			ba_buf_puts(&out, ", ");
			ba_progress_time(&out, elapsed * (1 - p->fraction) / p->fraction);
			ba_buf_puts(&out, " left");
		}
	}
	if (*p->text)
		ba_buf_printf(&out, ": %s", p->text);
	ba_buf_putc(&out, '\n');
	put(p, &out);
	p->printed = p->fraction;
	p->drawn_ns = now_ns;
}

static int tenths(double fraction)
{
	return (int)(fraction * 10 + 1e-9);
}

static void update(ba_progress *p, int64_t now_ns)
{
	if (p->mode == BA_PROGRESS_PLAIN) {
		if (p->every_ns ? now_ns - p->drawn_ns >= p->every_ns
				: p->fraction >= 0 && tenths(p->fraction) > tenths(p->printed))
			print_plain(p, now_ns);
	} else if (p->mode == BA_PROGRESS_LINE) {
		if (now_ns - p->began_ns < SHOW_AFTER_NS)
			return;
		if (!p->shown || now_ns - p->drawn_ns >= REDRAW_NS)
			draw(p, now_ns);
	}
}

static void replace(char **where, const char *text)
{
	ba_text_own(where, ba_text_safe(text ? text : ""));
}

void ba_progress_phase(ba_progress *p, const char *phase, int64_t now_ns)
{
	replace(&p->phase, phase);
	replace(&p->text, "");
	p->phase_ns = now_ns;
	p->fraction = -1;
	if (p->mode == BA_PROGRESS_PLAIN && !p->every_ns)
		print_plain(p, now_ns);
	p->printed = 0;
	update(p, now_ns);
}

void ba_progress_set(ba_progress *p, double fraction, const char *text, int64_t now_ns)
{
	if (p->mode == BA_PROGRESS_NEVER)
		return;
	if (text && strcmp(text, p->text) != 0)
		replace(&p->text, text);
	p->fraction = fraction >= 0 ? (fraction < 1 ? fraction : 1) : -1;
	update(p, now_ns);
}

void ba_progress_clear(ba_progress *p)
{
	if (!p->shown)
		return;
	(void)ba_fs_write_all(p->fd, "\r\033[K", 4);
	p->shown = false;
}

void ba_progress_log(ba_progress *p, const char *line, int64_t now_ns)
{
	bool back = p->shown;
	ba_progress_clear(p);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_text_sanitize(&out, line, strlen(line), true);
	ba_text_disarm(&out);
	ba_buf_putc(&out, '\n');
	put(p, &out);
	if (back)
		draw(p, now_ns);
}

void ba_progress_dispose(ba_progress *p)
{
	ba_progress_clear(p);
	BA_FREE(p->phase, p->text);
	p->phase = p->text = NULL;
}
