/* Declarations shared by the journal's files. Inside the module only. */
#pragma once

#include "json/fields.h"
#include "store/journal.h"

enum { BA_JOURNAL_SUM = 16 };

/* A line's sum. `line` ends before its last member, the sum; previous: "" at first. */
void ba_journal_sum(
	char out[BA_JOURNAL_SUM + 1], const char *previous, const char *line, size_t size);

/* Where the last complete invocation ends, and the sum of its line. */
typedef struct ba_journal_place {
	off_t at;
	char sum[BA_JOURNAL_SUM + 1];
} ba_journal_place;

/* Reads from the file's start; `first` is the number of its first invocation. */
int ba_journal_read(ba_journal_content *out, ba_journal_place *whole, int fd, const char *path,
	size_t first, ba_error *err);

extern const ba_json_fields ba_checkpoint_fields;
