#include "experiment/opened_files.h"

#include <sys/inotify.h>

#include "verdict/identity.h"

#define PATHS_MOST 4096u
#define NAMED 3u

/* truncate() changes a file without opening it; the last three show that the path
 * may no longer have the compared file */
#define EVENTS (IN_OPEN | IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)

typedef struct watch {
	int id;
	size_t path;
	bool folder; /* a folder: events of its entries are ignored */
} watch;

typedef enum state {
	EXCUSED, /* no process has opened it */
	OPENED,	 /* opened since the last look */
	COUNTED	 /* it counts as a difference */
} state;

struct ba_opened_files {
	const ba_manifest *const *manifests;
	size_t variant_count;
	const ba_strv *irrelevant;
	ba_strv paths; /* the differing paths, in the order of strcmp */
	state *states; /* of each */
	watch *watches;
	size_t watch_count, watch_capacity;
	int fd; /* -1: nothing is watched */
};

/* ---- what differs ---- */

typedef struct difference {
	ba_strv *paths;
	char *doubt; /* the first difference that no watch can excuse */
} difference;

static bool is_excusable(const ba_manifest_entry *a, const ba_manifest_entry *b)
{
	const ba_manifest_entry *only = a ? a : b;
	if (a && b)
		return a->kind == BA_MANIFEST_FILE && b->kind == BA_MANIFEST_FILE &&
		       a->mode == b->mode;
	return only->kind == BA_MANIFEST_FILE || only->kind == BA_MANIFEST_FOLDER;
}

static bool take_difference(void *data, const ba_manifest_entry *a, const ba_manifest_entry *b)
{
	difference *d = data;
	const char *path = a ? a->path : b->path;
	if (!is_excusable(a, b)) {
		d->doubt = ba_xprintf("'%s' differs in more than its content", path);
		return false;
	}
	ba_strv_push(d->paths, path);
	return d->paths->count <= PATHS_MOST;
}

static void sort_once(ba_strv *paths)
{
	size_t kept = 0;
	ba_strv_sort(paths);
	for (size_t i = 0; i < paths->count; i++) {
		if (kept && strcmp(paths->items[kept - 1], paths->items[i]) == 0)
			free(paths->items[i]);
		else
			paths->items[kept++] = paths->items[i];
	}
	paths->count = kept;
}

static void say(ba_result *r, size_t variant, const char *why)
{
	ba_strv_printf(&r->run.notes,
		"%s and %s have equal libraries, but their trees differ: %s; so they are measured in full",
		r->run.variants[0].label, r->run.variants[variant].label, why);
}

static void find_differences(ba_opened_files *o, ba_result *r)
{
	for (size_t v = 1; v < o->variant_count; v++) {
		BA_AUTO(ba_strv) ba_strv mine = {0};
		difference d = {.paths = &mine};
		if (!o->manifests[0] || !o->manifests[v] ||
			!ba_identity_same_libraries(&r->run.variants[0], &r->run.variants[v]))
			continue;
		ba_manifest_diff(
			o->manifests[0], o->manifests[v], o->irrelevant, take_difference, &d);
		if (!d.doubt && mine.count > PATHS_MOST)
			d.doubt = ba_xprintf("more than %u files", PATHS_MOST);
		if (d.doubt)
			say(r, v, d.doubt);
		for (size_t i = 0; !d.doubt && i < mine.count; i++)
			ba_strv_push(&o->paths, mine.items[i]);
		free(d.doubt);
	}
	sort_once(&o->paths);
	o->states = ba_xcalloc(o->paths.count + 1, sizeof(*o->states));
}

/* ---- watches ---- */

static void note_opened(ba_opened_files *o, size_t path)
{
	if (o->states[path] == EXCUSED)
		o->states[path] = OPENED;
}

static void note_all_opened(ba_opened_files *o)
{
	for (size_t i = 0; i < o->paths.count; i++)
		note_opened(o, i);
}

static void add_watch(
	ba_opened_files *o, const char *tree, size_t path, const char *at, bool folder)
{
	BA_AUTO_FREE char *full = *at ? ba_path_join(tree, at) : ba_xstrdup(tree);
	int id = inotify_add_watch(o->fd, full, EVENTS | IN_DONT_FOLLOW);
	if (id < 0) {
		note_opened(o, path);
		return;
	}
	*BA_PUSH(o->watches, o->watch_count, o->watch_capacity) = (watch){id, path, folder};
}

static const ba_manifest_entry *find(const ba_manifest *m, const char *path)
{
	size_t at = BA_FIRST(m->count, i, strcmp(m->entries[i].path, path) >= 0);
	return at < m->count && strcmp(m->entries[at].path, path) == 0 ? &m->entries[at] : NULL;
}

/* Watches the file in each tree, or the place where it would be. */
static void watch_path(ba_opened_files *o, const ba_result *r, size_t path)
{
	const char *name = o->paths.items[path];
	BA_AUTO_FREE char *parent = ba_path_dir(name);
	const char *in = strcmp(parent, ".") == 0 ? "" : parent;
	bool everywhere = true;
	for (size_t v = 0; v < o->variant_count; v++)
		everywhere = everywhere && o->manifests[v] && find(o->manifests[v], name);
	for (size_t v = 0; v < o->variant_count; v++) {
		const ba_manifest *m = o->manifests[v];
		const char *tree = r->run.variants[v].tree_dir;
		const ba_manifest_entry *mine = m ? find(m, name) : NULL;
		if (mine)
			add_watch(o, tree, path, name, mine->kind == BA_MANIFEST_FOLDER);
		if (m && !everywhere && (!*in || find(m, in)))
			add_watch(o, tree, path, in, true);
	}
}

static void mark(ba_opened_files *o, const struct inotify_event *e)
{
	if (e->mask & IN_Q_OVERFLOW) /* lost events may concern any file */
		note_all_opened(o);
	for (size_t i = 0; i < o->watch_count; i++)
		if (o->watches[i].id == e->wd && !(o->watches[i].folder && e->len))
			note_opened(o, o->watches[i].path);
}

static void drain(ba_opened_files *o)
{
	_Alignas(struct inotify_event) char events[65536];
	for (;;) {
		ssize_t n = read(o->fd, events, sizeof(events));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *e = (const void *)(events + at);
			mark(o, e);
			at += (ssize_t)(sizeof(*e) + e->len);
		}
	}
}

/* Tests one file of each tree: a file system without events would excuse everything. */
static bool reports(ba_opened_files *o, const ba_result *r)
{
	for (size_t v = 0; v < o->variant_count; v++) {
		const ba_manifest *m = o->manifests[v];
		size_t i = 0;
		while (i < o->paths.count &&
			!(m && find(m, o->paths.items[i]) && o->states[i] == EXCUSED))
			i++;
		if (i == o->paths.count)
			continue;
		BA_AUTO_FREE char *path =
			ba_path_join(r->run.variants[v].tree_dir, o->paths.items[i]);
		BA_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		drain(o);
		if (fd < 0 || o->states[i] != OPENED)
			return false;
		o->states[i] = EXCUSED;
	}
	return true;
}

static bool start(ba_opened_files *o, const ba_result *r)
{
	o->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (o->fd < 0)
		return false;
	for (size_t i = 0; i < o->paths.count; i++)
		watch_path(o, r, i);
	return reports(o, r);
}

/* ---- what was opened ---- */

static bool differs_in(const ba_opened_files *o, size_t variant, const char *path)
{
	const ba_manifest *base = o->manifests[0], *m = o->manifests[variant];
	const ba_manifest_entry *a = base ? find(base, path) : NULL;
	const ba_manifest_entry *b = m ? find(m, path) : NULL;
	return base && m && (!a != !b || (a && strcmp(a->sha256, b->sha256) != 0));
}

static void set_digests(const ba_opened_files *o, ba_result *r)
{
	BA_AUTO(ba_strv) ba_strv excused = {0};
	for (size_t i = 0; i < o->paths.count; i++)
		if (o->states[i] == EXCUSED)
			ba_strv_push(&excused, o->paths.items[i]);
	for (size_t v = 0; v < o->variant_count; v++)
		if (o->manifests[v])
			ba_manifest_digest(r->run.variants[v].used_sha256, o->manifests[v],
				o->irrelevant, &excused);
}

static void say_opened(const ba_opened_files *o, ba_result *r, size_t variant)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t count = 0;
	for (size_t i = 0; i < o->paths.count; i++) {
		if (o->states[i] != OPENED || !differs_in(o, variant, o->paths.items[i]))
			continue;
		if (count++ < NAMED)
			ba_buf_printf(&text, "%s'%s'", count > 1 ? ", " : "", o->paths.items[i]);
	}
	if (count > NAMED)
		ba_buf_printf(&text, " and %zu more", count - NAMED);
	if (!count || !ba_identity_same_libraries(&r->run.variants[0], &r->run.variants[variant]))
		return;
	ba_buf_puts(&text, ba_plural(count, " was opened", " were opened"));
	say(r, variant, text.data);
}

/* The files that were opened count as differences from now on. */
static bool settle(ba_opened_files *o, ba_result *r, bool told, ba_strv *opened)
{
	bool any = false;
	for (size_t v = 1; told && v < o->variant_count; v++)
		say_opened(o, r, v);
	for (size_t i = 0; i < o->paths.count; i++) {
		if (o->states[i] != OPENED)
			continue;
		any = true;
		o->states[i] = COUNTED;
		if (opened)
			ba_strv_push(opened, o->paths.items[i]);
	}
	if (any)
		set_digests(o, r);
	return any;
}

ba_opened_files *ba_opened_files_watch(
	ba_result *r, const ba_manifest *const *manifests, const ba_strv *irrelevant)
{
	ba_opened_files *o = ba_xcalloc(1, sizeof(*o));
	*o = (ba_opened_files){.manifests = manifests,
		.variant_count = r->run.variant_count,
		.irrelevant = irrelevant,
		.fd = -1};
	if (!manifests)
		return o;
	find_differences(o, r);
	if (o->paths.count && !start(o, r))
		note_all_opened(o);
	set_digests(o, r);
	settle(o, r, true, NULL);
	return o;
}

BA_OWNS_HANDLE(ba_opened_files, o, ba_auto_close(&o->fd), ba_strv_dispose(&o->paths),
	BA_FREE(o->states, o->watches))

bool ba_opened_files_look(ba_opened_files *o, ba_result *r, ba_strv *opened)
{
	if (!o->paths.count)
		return false;
	if (o->fd >= 0)
		drain(o);
	return settle(o, r, true, opened);
}

bool ba_opened_files_recall(ba_opened_files *o, ba_result *r, const ba_strv *opened)
{
	for (size_t i = 0; i < o->paths.count; i++)
		if (ba_strv_has(opened, o->paths.items[i]))
			note_opened(o, i);
	/* the earlier process has written this note already */
	return settle(o, r, false, NULL);
}
