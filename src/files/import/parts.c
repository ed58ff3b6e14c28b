/* FILE#PART for a format without parts: a benchmark, or a glob whose stars become the names, to
 * compare two benchmarks of a file. */

#include "import/source.h"

enum { LISTED_MOST = 8 };

#define ALONE "the benchmark that was chosen"

BA_OWNS(ba_parts, p, ba_strv_dispose(&p->names), ba_buf_dispose(&p->name))

/* Appends the text that the stars of the glob match; false if it does not match. Each
 * star except the last matches as little as possible. */
static bool capture(ba_buf *out, const char *glob, const char *text)
{
	const char *star = strchr(glob, '*');
	size_t head = star ? (size_t)(star - glob) : strlen(glob);
	if (strncmp(glob, text, head) != 0)
		return false;
	if (!star)
		return text[head] == '\0';
	const char *rest = star + 1, *next = strchr(rest, '*');
	size_t literal = next ? (size_t)(next - rest) : strlen(rest), before = out->len;
	ba_buf_puts(out, before ? "," : "");
	for (const char *at = text + head; *at || !literal; at++) {
		bool last = !next && strlen(at) != literal;
		if (last || strncmp(at, rest, literal) != 0)
			continue;
		size_t mark = out->len;
		ba_buf_put(out, text + head, (size_t)(at - text - head));
		if (capture(out, rest, at))
			return true;
		ba_buf_truncate(out, mark);
		if (!*at)
			break;
	}
	ba_buf_truncate(out, before);
	return false;
}

const char *ba_parts_name(ba_parts *p, const char *part, const char *id)
{
	if (!ba_strv_has(&p->names, id) && p->count++ < LISTED_MOST)
		ba_strv_push(&p->names, id);
	ba_buf_clear(&p->name);
	bool mine = strcmp(part, id) == 0 || (strchr(part, '*') && capture(&p->name, part, id));
	p->found |= mine;
	return !mine ? NULL : p->name.len ? p->name.data : ALONE;
}

int ba_parts_check(const ba_parts *p, const ba_source *s, ba_error *err)
{
	BA_AUTO_FREE char *all = ba_strv_join(&p->names, "', '");
	if (p->found || !s->part)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"'%s' has no benchmark '%.200s'; name one of these, where '*' stands for the rest of a name: '%.600s'%s",
		s->name, s->part, all, p->count > p->names.count ? ", ..." : "");
}
