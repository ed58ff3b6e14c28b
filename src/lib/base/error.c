#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#ifdef __clang_analyzer__
#undef ba_fail
#undef ba_fail_errno
#undef ba_fail_context
#endif

__attribute__((format(printf, 2, 0))) static void set_text(
	ba_error *err, const char *fmt, va_list ap)
{
	int n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	size_t len = n < 0 ? 0 : strlen(err->text);
	while (len > 0 && err->text[len - 1] == '\n')
		err->text[--len] = '\0';
	if (n >= (int)sizeof(err->text))
		memcpy(err->text + sizeof(err->text) - 4, "...", 4);
}

static void append(ba_error *err, const char *text)
{
	size_t len = strlen(err->text), room = sizeof(err->text) - len;
	snprintf(err->text + len, room, ": %.*s", (int)room, text);
}

int ba_fail(ba_error *err, int code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (err) {
		err->code = code;
		set_text(err, fmt, ap);
	}
	va_end(ap);
	return code;
}

int ba_fail_errno(ba_error *err, int code, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	va_start(ap, fmt);
	if (err) {
		err->code = code;
		set_text(err, fmt, ap);
		append(err, strerror(saved));
	}
	va_end(ap);
	errno = saved;
	return code;
}

int ba_fail_context(ba_error *err, const char *fmt, ...)
{
	if (!err)
		return BA_EIO;
	ba_error inner = *err;
	va_list ap;
	va_start(ap, fmt);
	set_text(err, fmt, ap);
	va_end(ap);
	append(err, inner.text);
	return inner.code;
}

static const struct {
	int code, status;
} rows[] = {
#define BA_ERROR_ROW(code, status) {code, status},
	BA_ERROR_MAP(BA_ERROR_ROW)
#undef BA_ERROR_ROW
};

int ba_error_as(ba_error *err, int code)
{
	if (err)
		err->code = code;
	return code;
}

int ba_error_exit_status(int code)
{
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (rows[i].code == code)
			return rows[i].status;
	return code == 0 ? 0 : 125;
}

/* the only function of base that prints, besides the one that runs out of memory */
void ba_require_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "bench-against: internal error at %s:%d: '%s' does not hold; report it\n",
		file, line, condition);
	abort();
}

void ba_log_printf(const ba_log *log, ba_log_level level, const char *fmt, ...)
{
	if (!log || !log->line)
		return;
	BA_FORMATTED(text, fmt);
	log->line(log->data, level, text);
}
