/* Lines of a journal made by hand get their sums (store/journal.h), so that the reader
 * looks at what is in them. */
#ifndef SUPPORT_JOURNAL_SEAL_H
#define SUPPORT_JOURNAL_SEAL_H

#include <string.h>

#include "base/buf.h"
#include "store/journal_parts.h"

/* Appended to *out. A line that is not an object, or that has a sum, stays as it is. */
static inline void journal_seal(ba_buf *out, const char *text, size_t size)
{
	static const char key[] = ",\"sum\":\"";
	const size_t tail = sizeof(key) - 1 + BA_JOURNAL_SUM + 2;
	char sum[BA_JOURNAL_SUM + 1] = "";
	while (size) {
		const char *newline = memchr(text, '\n', size);
		size_t n = newline ? (size_t)(newline - text) : size;
		size_t body = n > tail && memcmp(text + n - tail, key, sizeof(key) - 1) == 0
				      ? n - tail
			      : n && text[n - 1] == '}' ? n - 1
							: 0;
		if (newline && body) {
			char next[BA_JOURNAL_SUM + 1];
			ba_journal_sum(next, sum, text, body);
			memcpy(sum, next, sizeof(sum));
			ba_buf_put(out, text, body);
			ba_buf_printf(out, "%s%s\"}\n", key, sum);
		} else {
			ba_buf_put(out, text, n + !!newline);
		}
		text += n + !!newline;
		size -= n + !!newline;
	}
}

#endif
