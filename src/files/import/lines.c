#include "import/lines.h"

enum { LINE_MOST = 1 << 20 };

int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err)
{
	int fd = -1;
	ba_lines_memory(l, s->name, s->text, s->size);
	if (s->text)
		return 0;
	BA_TRY(ba_gunzip_open(&fd, s->name, err));
	ba_lines_file(l, s->name, fd, LINE_MOST);
	l->owns = true;
	return 0;
}

int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err)
{
	enum { FILE_MOST = 1 << 30 };
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		rc = 0;
		if (out->len + size > FILE_MOST)
			return ba_fail(err, BA_EDATA, "%s: longer than 1 GiB", s->name);
		if (!ba_text_is_utf8(line, size))
			return ba_fail(err, BA_EDATA, "%s: line %zu: the text is not UTF-8",
				s->name, lines.number);
		ba_buf_put(out, line, size);
		ba_buf_putc(out, '\n');
	}
	return rc;
}

int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err)
{
	const ba_source *s = *(const ba_source *const *)data;
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", s->name, lines.number);
		BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(line, size, name);
		bool document = size && (!mixed || line[0] == '{');
		rc = document ? read(data, p, err) : 0;
		rc = rc || !document ? rc : ba_pull_end(p, err);
	}
	return rc;
}
