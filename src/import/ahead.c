#include "import/ahead.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK = 1 << 18 };

typedef enum kind { FIELD, WARNING, DAMAGE, RECORD } kind;

/* What the sink is called with. Texts stand behind it, then a record's values. */
typedef struct item {
	size_t size; /* with all of that */
	size_t count;
	size_t texts[3]; /* their sizes with the NUL; 0: NULL */
	kind kind;
	bool must_match;
	/* its values are records, all but the first `again` */
	bool joined;
	ba_record record; /* its pointers mean nothing */
} item;

typedef struct block {
	struct block *next;
	size_t used, size;
	item *last; /* a record which more values may join, or NULL */
	_Alignas(16) char data[];
} block;

struct ba_ahead {
	const char *path, *part;
	ba_sink sink; /* the thread's */
	pthread_t thread;
	bool joined;
	block *now; /* the thread fills it */
	/* both sides, with the lock */
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	block *first, **end; /* blocks to be taken */
	block *spare;	     /* taken, and of the usual size */
	size_t bytes;	     /* of the blocks to be taken */
	bool done, stop;
	/* the thread's until it has ended */
	int rc;
	ba_error err;
	const ba_import_format *format;
};

/* ---- the thread ---------------------------------------------------------- */

/* false: nobody wants more */
static bool pass_on(ba_ahead *a)
{
	block *b = a->now;
	a->now = NULL;
	if (!b)
		return true;
	pthread_mutex_lock(&a->lock);
	while (a->bytes && a->bytes + b->used > BA_AHEAD_MOST && !a->stop)
		pthread_cond_wait(&a->room, &a->lock);
	a->bytes += b->used;
	*a->end = b;
	a->end = &b->next;
	bool stop = a->stop;
	pthread_cond_signal(&a->filled);
	pthread_mutex_unlock(&a->lock);
	return !stop;
}

static block *new_block(ba_ahead *a, size_t least)
{
	size_t size = least > BLOCK ? least : BLOCK;
	pthread_mutex_lock(&a->lock);
	block *b = size == BLOCK ? a->spare : NULL;
	if (b)
		a->spare = b->next;
	pthread_mutex_unlock(&a->lock);
	b = b ? b : ba_xmalloc(sizeof(*b) + size);
	*b = (block){.size = size};
	return b;
}

static bool fits(const block *b, size_t size)
{
	return b && size <= b->size - b->used;
}

static size_t padded(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

static int add(ba_ahead *a, const item *of, const char *const texts[3],
	const double *values, ba_error *err)
{
	item it = *of;
	size_t text = 0;
	for (size_t i = 0; i < 3; i++)
		text += it.texts[i] = texts[i] ? strlen(texts[i]) + 1 : 0;
	it.size = sizeof(it) + padded(text) + padded(it.count * sizeof(double));
	if (!fits(a->now, it.size)) {
		if (!pass_on(a))
			return ba_fail(err, BA_EIO, "no more is wanted");
		a->now = new_block(a, it.size);
	}
	char *at = a->now->data + a->now->used;
	a->now->last = it.joined ? (item *)(void *)at : NULL;
	a->now->used += it.size;
	memcpy(at, &it, sizeof(it));
	at += sizeof(it);
	for (size_t i = 0; i < 3; i++) {
		memcpy(at, texts[i] ? texts[i] : "", it.texts[i]);
		at += it.texts[i];
	}
	at += padded(text) - text;
	if (it.count)
		memcpy(at, values, it.count * sizeof(*values));
	return 0;
}

/* one more value of the benchmark that came last */
static bool join(block *b, const ba_record *r)
{
	if (!r->again || r->count != 1 || r->failure || r->skipped || !b || !b->last ||
		!fits(b, 2 * sizeof(double)))
		return false;
	item *it = b->last;
	size_t grown = it->count % 2 ? 0 : 2 * sizeof(double);
	char *end = (char *)it + it->size;
	memcpy(it->count % 2 ? end - sizeof(double) : end, r->values, sizeof(double));
	it->count++;
	it->size += grown;
	b->used += grown;
	return true;
}

static int on_record(void *data, const ba_record *r, ba_error *err)
{
	ba_ahead *a = data;
	if (join(a->now, r))
		return 0;
	const char *texts[] = {r->id, r->metric, r->failure ? r->failure : r->skipped};
	bool joined = r->count == 1 && !r->failure && !r->skipped;
	const item it = {
		.kind = RECORD, .count = r->count, .joined = joined, .record = *r};
	return add(a, &it, texts, r->values, err);
}

static void on_field(void *data, const char *name, const char *value, bool must_match)
{
	const item it = {.kind = FIELD, .must_match = must_match};
	(void)add(data, &it, (const char *[]){name, value, NULL}, NULL, NULL);
}

static void on_warning(void *data, const char *text)
{
	const item it = {.kind = WARNING};
	(void)add(data, &it, (const char *[]){text, NULL, NULL}, NULL, NULL);
}

static void on_damage(void *data, const char *text)
{
	const item it = {.kind = DAMAGE};
	(void)add(data, &it, (const char *[]){text, NULL, NULL}, NULL, NULL);
}

static void *read_file(void *data)
{
	ba_ahead *a = data;
	a->rc = ba_import_read(&a->format, a->path, a->part, &a->sink, &a->err);
	(void)pass_on(a);
	pthread_mutex_lock(&a->lock);
	a->done = true;
	pthread_cond_signal(&a->filled);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* ---- who takes it -------------------------------------------------------- */

ba_ahead *ba_ahead_start(const char *path, const char *part, const ba_sink *sink)
{
	ba_ahead *a = ba_xcalloc(1, sizeof(*a));
	a->path = path;
	a->part = part;
	a->sink = (ba_sink){.data = a,
		.field = on_field,
		.record = on_record,
		.warn = on_warning,
		.damaged = on_damage,
		.metric = sink->metric,
		.csv_columns = sink->csv_columns,
		.takes_zeros = sink->takes_zeros};
	a->end = &a->first;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->filled, NULL);
	pthread_cond_init(&a->room, NULL);
	a->joined = pthread_create(&a->thread, NULL, read_file, a) != 0;
	if (!a->joined)
		return a;
	ba_ahead_free(a);
	return NULL;
}

static int give_record(const ba_sink *sink, const item *it, const char *const texts[3],
	const double *values, ba_error *err)
{
	ba_record r = it->record;
	r.id = texts[0];
	r.metric = texts[1];
	r.unit = NULL;
	r.failure = r.failure ? texts[2] : NULL;
	r.skipped = r.skipped ? texts[2] : NULL;
	r.values = values;
	r.count = it->joined ? 1 : it->count;
	int rc = sink->record ? sink->record(sink->data, &r, err) : 0;
	for (size_t i = 1; it->joined && i < it->count && rc == 0; i++) {
		r.again = true;
		r.values = values + i;
		rc = sink->record ? sink->record(sink->data, &r, err) : 0;
	}
	return rc;
}

static int give(const ba_sink *sink, const item *it, ba_error *err)
{
	const char *texts[3], *at = (const char *)(it + 1);
	size_t text = 0;
	for (size_t i = 0; i < 3; i++) {
		texts[i] = it->texts[i] ? at + text : NULL;
		text += it->texts[i];
	}
	if (it->kind == RECORD)
		return give_record(sink, it, texts,
			(const double *)(const void *)(at + padded(text)), err);
	if (it->kind == FIELD && sink->field)
		sink->field(sink->data, texts[0], texts[1], it->must_match);
	else if (it->kind == WARNING && sink->warn)
		sink->warn(sink->data, texts[0]);
	else if (it->kind == DAMAGE && sink->damaged)
		sink->damaged(sink->data, texts[0]);
	return 0;
}

/* the next block, which is the caller's; NULL: that was all */
static block *take_block(ba_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	while (!a->first && !a->done)
		pthread_cond_wait(&a->filled, &a->lock);
	block *b = a->first;
	if (b) {
		a->first = b->next;
		a->end = a->first ? a->end : &a->first;
		a->bytes -= b->used;
		pthread_cond_signal(&a->room);
	}
	pthread_mutex_unlock(&a->lock);
	return b;
}

static void give_back(ba_ahead *a, block *b)
{
	if (b->size != BLOCK) {
		free(b);
		return;
	}
	pthread_mutex_lock(&a->lock);
	b->next = a->spare;
	a->spare = b;
	pthread_mutex_unlock(&a->lock);
}

int ba_ahead_take(ba_ahead *a, const ba_import_format **format, const ba_sink *sink,
	ba_error *err)
{
	int rc = 0;
	for (block *b; rc == 0 && (b = take_block(a));) {
		for (size_t at = 0; rc == 0 && at < b->used;) {
			const item *it = (const item *)(const void *)(b->data + at);
			rc = give(sink, it, err);
			at += it->size;
		}
		give_back(a, b);
	}
	if (rc)
		return rc;
	pthread_join(a->thread, NULL);
	a->joined = true;
	*format = a->format;
	if (a->rc && err)
		*err = a->err;
	return a->rc;
}

static void free_blocks(block *b)
{
	for (block *next; b; b = next) {
		next = b->next;
		free(b);
	}
}

void ba_ahead_free(ba_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	if (!a->joined)
		pthread_join(a->thread, NULL);
	free_blocks(a->first);
	free_blocks(a->spare);
	free(a->now);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->filled);
	pthread_cond_destroy(&a->room);
	free(a);
}
