/* What the journal's files share; private to store/. */
#ifndef STORE_JOURNAL_PARTS_H
#define STORE_JOURNAL_PARTS_H

#include <sys/types.h>

#include "json/json.h"
#include "json/writer.h"
#include "store/journal.h"

/* From the file's start; *whole: where the last whole invocation ends. */
int ba_journal_read(
	ba_journal_content *out, off_t *whole, int fd, const char *path, ba_error *err);

/* the members, into an object that is open */
void ba_checkpoint_write(ba_json_writer *w, const ba_checkpoint *c);
/* Fills a zeroed one, which can be disposed of after an error, too. */
int ba_checkpoint_read(
	ba_checkpoint *out, ba_json_value object, size_t variant_count, ba_error *err);

#endif
