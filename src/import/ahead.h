/*
 * Reads a file in a thread of its own, ahead of who takes its records:
 *
 *     BA_AUTO_PTR(ba_ahead) ba_ahead *a = ba_ahead_start(path, part, &sink);
 *     ... anything else ...
 *     rc = ba_ahead_take(a, &format, &sink, err);
 *
 * is rc = ba_import_read(&format, path, part, &sink, err), but that a record's unit is
 * NULL. The functions of the sink are called by ba_ahead_take alone. The thread is at most
 * BA_AHEAD_MOST bytes ahead, or one record.
 */
#ifndef IMPORT_AHEAD_H
#define IMPORT_AHEAD_H

#include "base/auto.h"
#include "import/import.h"

#define BA_AHEAD_MOST ((size_t)2 << 20)

typedef struct ba_ahead ba_ahead;

/* Of the sink only what is wanted counts: metric, csv_columns, takes_zeros. They, path and
 * part must stay valid. NULL: there is no thread to be had. */
ba_ahead *ba_ahead_start(const char *path, const char *part, const ba_sink *sink);
/* Once. *format is set when the file was read to its end. */
int ba_ahead_take(ba_ahead *a, const ba_import_format **format, const ba_sink *sink,
	ba_error *err);
/* Stops the thread if it still reads. NULL is fine. */
void ba_ahead_free(ba_ahead *a);
BA_DEFINE_AUTO_PTR(ba_ahead, ba_ahead_free)

#endif
