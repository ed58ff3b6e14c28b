/* What the journal's files share; private to store/. */
#ifndef STORE_JOURNAL_PARTS_H
#define STORE_JOURNAL_PARTS_H

#include <sys/types.h>

#include "json/json.h"
#include "json/writer.h"
#include "store/journal.h"

enum { BA_JOURNAL_SUM = 16 };

/* of a line that ends before its sum, which is its last member; previous: "" before the
 * first line */
void ba_journal_sum(char out[BA_JOURNAL_SUM + 1], const char *previous,
	const char *line, size_t size);

/* Where the last whole invocation ends, and the sum of the line before that. */
typedef struct ba_journal_place {
	off_t at;
	char sum[BA_JOURNAL_SUM + 1];
} ba_journal_place;

/* from the file's start */
int ba_journal_read(ba_journal_content *out, ba_journal_place *whole, int fd,
	const char *path, ba_error *err);

/* the members, into an object that is open */
void ba_checkpoint_write(ba_json_writer *w, const ba_checkpoint *c);
/* Fills a zeroed one, which can be disposed of after an error, too. */
int ba_checkpoint_read(
	ba_checkpoint *out, ba_json_value object, size_t variant_count, ba_error *err);

#endif
