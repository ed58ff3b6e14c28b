#include "git/workspace_internal.h"

#define LOCK_POLL_NS 20000000
#define SCRATCH_WAIT_NS (10 * BA_SECOND)
/* half a second, so that a quick look by `cache` causes no message */
#define QUIET_POLLS 25

static int make_dir(char **out, const char *root, const char *name, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(root, name);
	ba_error inner = {0};
	int rc = ba_fs_mkdirs(path, &inner);
	if (rc == 0 && access(path, W_OK | X_OK))
		rc = ba_fail_errno(&inner, BA_EIO, "cannot write to '%s'", path);
	if (rc)
		return ba_fail(err, rc,
			"the cache: %s; name a writable directory with --cache-dir or BENCH_AGAINST_CACHE",
			inner.text);
	/* resolved, as the system names open files, so that a variant's files are
	 * recognised */
	char *resolved = realpath(path, NULL);
	*out = resolved ? resolved : BA_TAKE(path);
	return 0;
}

int ba_workspace_open(ba_workspace **out, const char *root, const ba_log *log, ba_error *err)
{
	BA_AUTO_FREE char *absolute = ba_path_absolute(root);
	ba_workspace *ws = ba_xcalloc(1, sizeof(*ws));
	ws->log = log;
	ws->scratch_lock = BA_LOCK_NONE;
	int rc = make_dir(&ws->trees, absolute, "trees", err);
	rc = rc ? rc : make_dir(&ws->trash, absolute, "trash", err);
	rc = rc ? rc : make_dir(&ws->run, absolute, "run", err);
	if (rc) {
		ba_workspace_free(ws);
		return rc;
	}
	*out = ws;
	return 0;
}

void ba_workspace_set_stop(ba_workspace *ws, bool (*stopped)(void *data), void *data)
{
	ws->stopped = stopped;
	ws->stopped_data = data;
}

void ba_workspace_set_died(
	ba_workspace *ws, void (*died)(void *data, const char *scratch), void *data)
{
	ws->died = died;
	ws->died_data = data;
}

void ba_workspace_free(ba_workspace *ws)
{
	if (!ws)
		return;
	while (ws->slots)
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): a slot leaves the list */
		ba_slot_release(ws->slots);
	if (ws->scratch) {
		ba_workspace_trash(ws, ws->scratch, NULL);
		ba_lock_remove(&ws->scratch_lock, NULL);
	}
	if (ws->trash)
		ba_workspace_tidy(ws, NULL);
	BA_FREE(ws->scratch, ws->trees, ws->trash, ws->run, ws);
}

int ba_workspace_trash(ba_workspace *ws, const char *path, ba_error *err)
{
	if (!ba_fs_exists(path))
		return 0;
	BA_AUTO_FREE char *to =
		ba_xprintf("%s/%s.%016" PRIx64, ws->trash, ba_path_base(path), ba_rng_entropy());
	if (rename(path, to) && errno != ENOENT)
		return ba_fail_errno(err, BA_EIO, "cannot move '%s' away", path);
	return 0;
}

ba_tree_paths ba_tree_paths_of(const char *parent, const char *name)
{
	return (ba_tree_paths){
		.dir = ba_path_join(parent, name),
		.lock = ba_xprintf("%s/%s" BA_LOCK_SUFFIX, parent, name),
		.marker = ba_xprintf("%s/%s" BA_COMPLETE_SUFFIX, parent, name),
		.files = ba_xprintf("%s/%s" BA_FILES_SUFFIX, parent, name),
	};
}

BA_OWNS(ba_tree_paths, p, BA_FREE(p->dir, p->lock, p->marker, p->files))

int ba_workspace_trash_tree(ba_workspace *ws, const ba_tree_paths *p, ba_error *err)
{
	const char *const first[] = {p->marker, p->files};
	for (size_t i = 0; i < BA_COUNT(first); i++)
		if (unlink(first[i]) && errno != ENOENT)
			return ba_fail_errno(err, BA_EIO, "cannot remove '%s'", first[i]);
	return ba_workspace_trash(ws, p->dir, err);
}

static int slot_name(char out[BA_SLOT_NAME + 1], const ba_slot_key *key, ba_error *err)
{
	size_t n = strlen(key->key);
	if (n != 64 || key->key[strspn(key->key, "0123456789abcdef")] != '\0')
		return ba_fail(err, BA_EINVAL, "'%s' is not a content key", key->key);
	if (key->instance > 25)
		return ba_fail(
			err, BA_EINVAL, "one content can be compared with itself at most 26 times");
	snprintf(out, BA_SLOT_NAME + 1, "%.16s-%c", key->key, 'a' + (int)key->instance);
	return 0;
}

static bool is_complete(const ba_slot *slot)
{
	BA_AUTO(ba_marker) ba_marker m = {0};
	return ba_marker_read(&m, slot->at.marker) && strcmp(m.key, slot->key) == 0 &&
	       ba_fs_is_dir(slot->at.dir);
}

static void slot_free(ba_slot *slot)
{
	ba_lock_release(&slot->lock);
	ba_tree_paths_dispose(&slot->at);
	ba_manifest_dispose(&slot->manifest);
	BA_FREE(slot->about, slot);
}

/* Discards the content: an unfinished tree, or one of another key. */
static int make_empty(ba_slot *slot, ba_error *err)
{
	int rc = ba_workspace_trash_tree(slot->ws, &slot->at, err);
	if (rc == 0 && mkdir(slot->at.dir, 0700))
		rc = ba_fail_errno(err, BA_EIO, "cannot create '%s'", slot->at.dir);
	slot->complete = false;
	ba_manifest_dispose(&slot->manifest);
	slot->has_manifest = false;
	return rc;
}

/* polling, because flock cannot wait for a lock, a deadline and a stop together */
static int pause_unless_stopped(const ba_workspace *ws, ba_error *err)
{
	const struct timespec pause = {.tv_nsec = LOCK_POLL_NS};
	if ((ws->stopped && ws->stopped(ws->stopped_data)) ||
		(nanosleep(&pause, NULL) && errno == EINTR))
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	return 0;
}

static int wait_a_little(ba_slot *slot, unsigned *polls, ba_error *err)
{
	ba_workspace *ws = slot->ws;
	if (++*polls == QUIET_POLLS) {
		BA_AUTO_FREE char *owner = ba_lock_owner(slot->at.lock);
		ba_log_printf(ws->log, BA_LOG_INFO,
			"waiting for another run (%s) that makes the same tree, '%s'", owner,
			slot->at.dir);
	}
	return pause_unless_stopped(ws, err);
}

/* Locks shared if the tree is complete, else exclusively. Checks again after every wait
 * and every change of the lock, because another run may have finished or pruned the
 * tree. */
static int lock_slot(ba_slot *slot, ba_error *err)
{
	unsigned polls = 0;
	for (;;) {
		bool busy;
		bool shared = is_complete(slot);
		int rc = ba_lock_try(&slot->lock, &busy, slot->at.lock, shared, err);
		if (rc == 0 && busy)
			rc = wait_a_little(slot, &polls, err);
		if (rc)
			return rc;
		if (busy)
			continue;
		slot->complete = is_complete(slot);
		if (slot->complete == shared)
			return 0;
		ba_lock_release(&slot->lock);
	}
}

static int open_slot(ba_slot *slot, ba_error *err)
{
	BA_TRY(lock_slot(slot, err));
	if (slot->complete) {
		/* the time of the last use, for pruning */
		utimensat(AT_FDCWD, slot->at.marker, NULL, 0);
		return 0;
	}
	return make_empty(slot, err);
}

static bool is_held(const ba_workspace *ws, const char *name)
{
	for (const ba_slot *s = ws->slots; s; s = s->next)
		if (strcmp(s->name, name) == 0)
			return true;
	return false;
}

int ba_workspace_acquire(ba_slot **out, ba_workspace *ws, const ba_slot_key *key, ba_error *err)
{
	char name[BA_SLOT_NAME + 1];
	BA_TRY(slot_name(name, key, err));
	if (is_held(ws, name))
		return ba_fail(err, BA_EINVAL, "the tree '%s' is in use by this run", name);
	ba_slot *slot = ba_xcalloc(1, sizeof(*slot));
	slot->ws = ws;
	slot->lock = BA_LOCK_NONE;
	memcpy(slot->name, name, sizeof(name));
	memcpy(slot->key, key->key, 65);
	slot->at = ba_tree_paths_of(ws->trees, name);
	int rc = open_slot(slot, err);
	if (rc) {
		slot_free(slot);
		return rc;
	}
	slot->next = ws->slots;
	ws->slots = slot;
	*out = slot;
	return 0;
}

struct wanted {
	const ba_slot_key *key;
	size_t place;
	char name[BA_SLOT_NAME + 1];
};
BA_DEFINE_ORDER(by_name, struct wanted, strcmp(a->name, b->name))

int ba_workspace_acquire_all(
	ba_slot **out, ba_workspace *ws, const ba_slot_key *keys, size_t count, ba_error *err)
{
	BA_AUTO_FREE struct wanted *wanted = ba_xcalloc(count + 1, sizeof(*wanted));
	BA_AUTO_FREE ba_slot **slots = ba_xcalloc(count + 1, sizeof(ba_slot *));
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		wanted[i].key = &keys[i];
		wanted[i].place = i;
		rc = slot_name(wanted[i].name, &keys[i], err);
	}
	if (rc)
		return rc;
	qsort(wanted, count, sizeof(*wanted), by_name);
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = ba_workspace_acquire(&slots[wanted[i].place], ws, wanted[i].key, err);
	for (size_t i = 0; i < count; i++) {
		if (rc)
			ba_slot_release(slots[i]);
		else
			out[i] = slots[i];
	}
	return rc;
}

const char *ba_slot_dir(const ba_slot *slot)
{
	return slot->at.dir;
}

bool ba_slot_is_complete(const ba_slot *slot)
{
	return slot->complete;
}

void ba_slot_describe(ba_slot *slot, const char *about)
{
	ba_text_own(&slot->about, ba_xstrndup(about, strcspn(about, "\n")));
}

int ba_slot_complete(ba_slot *slot, ba_error *err)
{
	if (slot->complete)
		return 0;
	int rc = ba_slot_write_marker(slot, err);
	rc = rc ? rc : ba_lock_share(&slot->lock, err);
	if (rc == 0 && !is_complete(slot))
		rc = ba_fail(err, BA_EIO,
			"another process removed '%s' as soon as it was made; run again",
			slot->at.dir);
	if (rc == 0)
		slot->complete = true;
	return rc;
}

int ba_slot_reset(ba_slot *slot, ba_error *err)
{
	if (slot->complete && !ba_lock_upgrade(&slot->lock)) {
		slot->complete = slot->lock.fd >= 0;
		return ba_fail(err, BA_EIO, "'%s' cannot be made again while another run uses it",
			slot->at.dir);
	}
	return make_empty(slot, err);
}

static void unlink_slot(ba_slot *slot)
{
	ba_slot **at = &slot->ws->slots;
	while (*at && *at != slot)
		at = &(*at)->next;
	if (*at)
		*at = slot->next;
}

void ba_slot_release(ba_slot *slot)
{
	if (!slot)
		return;
	unlink_slot(slot);
	/* without the lock, these names may belong to another run now */
	if (!slot->complete && slot->lock.exclusive) {
		ba_workspace_trash_tree(slot->ws, &slot->at, NULL);
		ba_lock_remove(&slot->lock, NULL);
	}
	slot_free(slot);
}

int ba_workspace_scratch(const char **out, ba_workspace *ws, ba_error *err)
{
	int64_t give_up = ba_now_ns() + SCRATCH_WAIT_NS;
	bool busy = true;
	while (!ws->scratch) {
		BA_AUTO_FREE char *dir = ba_xprintf("%s/%016" PRIx64, ws->run, ba_rng_entropy());
		BA_AUTO_FREE char *lock = ba_xprintf("%s" BA_LOCK_SUFFIX, dir);
		/* locks first, so that a sweep does not treat it as a leftover */
		int rc = ba_lock_try(&ws->scratch_lock, &busy, lock, false, err);
		if (rc == 0 && !busy && mkdir(dir, 0700)) {
			rc = ba_fail_errno(err, BA_EIO, "cannot create '%s'", dir);
			ba_lock_release(&ws->scratch_lock);
		} else if (rc == 0 && busy) { /* a sweep was between the file and its lock */
			rc = ba_now_ns() < give_up
				     ? pause_unless_stopped(ws, err)
				     : ba_fail(err, BA_EIO, "another process holds the lock '%s'",
					       lock);
		}
		if (rc)
			return rc;
		if (!busy)
			ws->scratch = BA_TAKE(dir);
	}
	*out = ws->scratch;
	return 0;
}
