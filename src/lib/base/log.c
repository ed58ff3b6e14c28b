#include "base/log.h"

#include "base/mem.h"

void ba_log_printf(const ba_log *log, ba_log_level level, const char *fmt, ...)
{
	if (!log || !log->line)
		return;
	BA_FORMATTED(text, fmt);
	log->line(log->data, level, text);
}
