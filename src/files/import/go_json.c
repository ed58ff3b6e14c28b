/* go test -json: one event on each line. A package's output is split over events among those of
 * other packages; joined, it is the text that go.c reads. */

#include "import/lines.h"

enum { TEXT_MOST = 1 << 30 };

typedef struct package {
	ba_buf name, text;
} package;

typedef struct packages {
	const ba_source *s;
	package *items;
	size_t count, capacity, size;
	ba_buf name, output; /* name and output of the current event */
} packages;

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

static const ba_member event_members[] = {
	BA_TEXT("Package", packages, name), BA_TEXT("Output", packages, output), {0}};

static int read_event(void *data, ba_pull *p, ba_error *err)
{
	packages *k = data;
	ba_members_clear(k, event_members);
	BA_TRY(ba_members_pull(k, p, event_members, err));
	if (k->size + k->output.len > TEXT_MOST)
		return ba_pull_fail(err, p, "the output of the tests is longer than 1 GiB");
	if (k->output.len)
		add_output(k);
	return 0;
}

int ba_read_go_json(const ba_source *s, ba_error *err)
{
	packages k = {.s = s};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	/* go itself prints text between the events if a build fails */
	int rc = ba_json_lines(&k, read_event, true, err);
	for (size_t i = 0; i < k.count; i++) {
		ba_buf_put(&text, k.items[i].text.data, k.items[i].text.len);
		ba_buf_putc(&text, '\n');
		BA_DISPOSE(ba_buf, &k.items[i].name, &k.items[i].text);
	}
	free(k.items);
	ba_members_dispose(&k, event_members);
	BA_AUTO_FREE char *name = ba_xprintf("%s, output of the tests", s->name);
	const ba_source whole = {.name = name,
		.part = s->part,
		.text = text.data,
		.size = text.len,
		.sink = s->sink};
	return rc ? rc : ba_read_go(&whole, err);
}
