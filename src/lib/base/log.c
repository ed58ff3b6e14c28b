#include "base/log.h"

#include <stdlib.h>

#include "base/mem.h"

void ba_log_printf(const ba_log *log, ba_log_level level, const char *fmt, ...)
{
	if (!log || !log->line)
		return;
	va_list ap;
	va_start(ap, fmt);
	char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	log->line(log->data, level, text);
	free(text);
}
