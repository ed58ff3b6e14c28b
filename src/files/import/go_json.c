/* go test -json: events, one object on each line. The output of a package is split over
 * its events, which are mixed with those of other packages; joined, it is the text that
 * go.c reads. */

#include "import/lines.h"

enum { TEXT_MOST = 1 << 30 };

typedef struct package {
	ba_buf name, text;
} package;

typedef struct packages {
	package *items;
	size_t count, capacity, size;
	ba_buf name, output; /* name and output of the current event */
} packages;

static void packages_dispose(packages *k)
{
	for (size_t i = 0; i < k->count; i++) {
		BA_DISPOSE(ba_buf, &k->items[i].name, &k->items[i].text);
	}
	free(k->items);
	BA_DISPOSE(ba_buf, &k->name, &k->output);
}
BA_DEFINE_AUTO(packages, packages_dispose)

static void add_output(packages *k)
{
	size_t i = k->count;
	/* Search from the end: output usually belongs to the latest package. */
	while (i > 0 && strcmp(k->items[i - 1].name.data, k->name.data) != 0)
		i--;
	if (i == 0) {
		k->items = BA_GROW(k->items, &k->capacity, k->count + 1);
		k->items[k->count] = (package){.name = BA_BUF_INIT, .text = BA_BUF_INIT};
		i = ++k->count;
		ba_buf_puts(&k->items[i - 1].name, k->name.data);
		ba_buf_printf(&k->items[i - 1].text, "pkg: %s\n", k->name.data);
	}
	ba_buf_put(&k->items[i - 1].text, k->output.data, k->output.len);
	k->size += k->output.len;
}

static int read_event(packages *k, ba_pull *p, ba_error *err)
{
	const char *key;
	ba_buf_clear(&k->name);
	ba_buf_clear(&k->output);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "Package") == 0  ? ba_text_pull(&k->name, p, err)
		     : strcmp(key, "Output") == 0 ? ba_text_pull(&k->output, p, err)
						  : ba_pull_skip(p, err);
	if (rc == 0 && k->size + k->output.len > TEXT_MOST)
		return ba_pull_fail(err, p, "the output of the tests is longer than 1 GiB");
	if (rc == 0 && k->output.len)
		add_output(k);
	return rc;
}

static int read_events(packages *k, const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", s->name, lines.number);
		BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(line, size, name);
		/* go itself prints text between the events if a build fails */
		bool event = size && line[0] == '{';
		rc = event ? read_event(k, p, err) : 0;
		rc = rc || !event ? rc : ba_pull_end(p, err);
	}
	return rc;
}

int ba_read_go_json(const ba_source *s, ba_error *err)
{
	BA_AUTO(packages) packages k = {.name = BA_BUF_INIT, .output = BA_BUF_INIT};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = read_events(&k, s, err);
	for (size_t i = 0; i < k.count; i++) {
		ba_buf_put(&text, k.items[i].text.data, k.items[i].text.len);
		ba_buf_putc(&text, '\n');
	}
	BA_AUTO_FREE char *name = ba_xprintf("%s, output of the tests", s->name);
	const ba_source whole = {.name = name,
		.part = s->part,
		.text = text.data,
		.size = text.len,
		.sink = s->sink};
	return rc ? rc : ba_read_go(&whole, err);
}
