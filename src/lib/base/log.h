/* How modules below cli report what a user may want to know. Only cli prints. */
#pragma once

#include <stdarg.h>

typedef enum ba_log_level {
	BA_LOG_DEBUG,	/* with -v */
	BA_LOG_INFO,	/* progress that deserves a line */
	BA_LOG_WARNING, /* warnings contain advice */
} ba_log_level;

typedef struct ba_log {
	void (*line)(void *data, ba_log_level level, const char *text);
	void *data;
} ba_log;

/* log may be NULL: nothing happens */
void ba_log_printf(const ba_log *log, ba_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
