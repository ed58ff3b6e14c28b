#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "git/lock.h"
#include "git/workspace.h"
#include "tmprepo.h"

TEST_GROUP(tmprepo_isolate, NULL);

#define KEY_A "aaaaaaaaaaaaaaaa000000000000000000000000000000000000000000000001"
#define KEY_A2 "aaaaaaaaaaaaaaaa000000000000000000000000000000000000000000000002"
#define KEY_B "bbbbbbbbbbbbbbbb000000000000000000000000000000000000000000000001"

/* the end of paths that cannot be removed; how many calls of lstat() fail */
static const char *no_unlink;
static unsigned lstats_to_fail;
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_lstat(const char *path, struct stat *st);
int __wrap_lstat(const char *path, struct stat *st);

int __wrap_unlink(const char *path)
{
	if (!no_unlink || !strstr(path, no_unlink))
		return __real_unlink(path);
	errno = EIO;
	return -1;
}

int __wrap_lstat(const char *path, struct stat *st)
{
	if (lstats_to_fail == 0)
		return __real_lstat(path, st);
	lstats_to_fail--;
	errno = EIO;
	return -1;
}

/* how many exclusive locks another process has at that moment; what happens while a lock is
 * made shared */
static unsigned locks_to_refuse;
static void (*while_sharing)(void);
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);

int __wrap_flock(int fd, int operation)
{
	void (*between)(void) = while_sharing;
	if (operation == (LOCK_EX | LOCK_NB) && locks_to_refuse > 0) {
		locks_to_refuse--;
		errno = EWOULDBLOCK;
		return -1;
	}
	while_sharing = NULL;
	if (operation == LOCK_SH && between) {
		__real_flock(fd, LOCK_UN);
		between();
	}
	return __real_flock(fd, operation);
}

static ba_workspace *open_at(const char *root)
{
	ba_workspace *ws = NULL;
	ba_error err = {0};
	if (ba_workspace_open(&ws, root, NULL, &err))
		print_message("%s\n", err.text);
	assert_non_null(ws);
	return ws;
}

static ba_slot *acquire(ba_workspace *ws, const char *key, unsigned instance)
{
	ba_slot *slot = NULL;
	ba_error err = {0};
	const ba_slot_key wanted = {.key = key, .instance = instance};
	if (ba_workspace_acquire(&slot, ws, &wanted, &err))
		print_message("%s\n", err.text);
	assert_non_null(slot);
	return slot;
}

static void fill(ba_slot *slot, const char *text)
{
	ba_error err = {0};
	put(ba_slot_dir(slot), "content", text);
	assert_int_equal(ba_slot_complete(slot, &err), 0);
}

TEST(what_a_tree_is_is_kept_with_it)
{
	char *root = tmp_make();
	ba_error err = {0};
	ba_workspace *ws = NULL;
	assert_int_equal(ba_workspace_open(&ws, root, NULL, &err), 0);
	ba_slot_describe(acquire(ws, KEY_A, 0), "not this");
	BA_AUTO_FREE char *text = at("v1 \x1b[1m%5000s\nnext", "long");
	ba_slot *slot = acquire(ws, KEY_B, 0);
	ba_slot_describe(slot, text);
	fill(slot, "b");
	BA_AUTO(ba_workspace_list) ba_workspace_list list = {0};
	assert_int_equal(ba_workspace_list_trees(&list, ws, NULL), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(strncmp(list.entries[0].about, "v1 \x1b[1m  ", 9), 0);
	assert_true(strlen(list.entries[0].about) < 4096);
	/* of an earlier version there is the key alone */
	BA_AUTO_FREE char *marker = at("%s.complete", ba_slot_dir(slot));
	assert_int_equal(ba_fs_write(marker, KEY_B "\n", 65, 0600, &err), 0);
	BA_AUTO(ba_workspace_list) ba_workspace_list older = {0};
	assert_int_equal(ba_workspace_list_trees(&older, ws, NULL), 0);
	assert_int_equal(older.count, 1);
	assert_string_equal(older.entries[0].about, "");
	ba_workspace_free(ws);
	tmp_remove(root);
}

/* what ba_slot_check says of it; caller frees */
static char *damage_of(ba_slot *slot, const ba_strv *irrelevant)
{
	char *damage = NULL;
	ba_error err = {0};
	if (ba_slot_check(&damage, slot, irrelevant, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.code, 0);
	return damage;
}

TEST(a_tree_that_was_damaged_is_noticed)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	put(ba_slot_dir(slot), "log", "one\n");
	put(ba_slot_dir(slot), "a/table", "1 2 3");
	fill(slot, "library");
	assert_non_null(ba_slot_manifest(slot));
	ba_workspace_free(ws);

	ws = open_at(root);
	slot = acquire(ws, KEY_A, 0);
	assert_null(ba_slot_manifest(slot));
	assert_null(damage_of(slot, NULL));
	assert_int_equal(ba_slot_manifest(slot)->count, 4);
	/* what a run adds is no damage; one bit is */
	put(ba_slot_dir(slot), "a/cache", "new");
	assert_null(damage_of(slot, NULL));
	put(ba_slot_dir(slot), "log", "one\ntwo\n");
	put(ba_slot_dir(slot), "a/table", "1 2 2");
	BA_AUTO_FREE char *two = damage_of(slot, NULL);
	assert_string_equal(two, "'a/table' was changed, and 1 more");
	BA_AUTO(ba_strv) ba_strv irrelevant = {0};
	ba_strv_push(&irrelevant, "l*");
	BA_AUTO_FREE char *one = damage_of(slot, &irrelevant);
	assert_string_equal(one, "'a/table' was changed");
	put(ba_slot_dir(slot), "a/table", "1 2 3");
	assert_null(damage_of(slot, &irrelevant));
	BA_AUTO_FREE char *content = at("%s/content", ba_slot_dir(slot));
	assert_int_equal(unlink(content), 0);
	BA_AUTO_FREE char *gone = damage_of(slot, &irrelevant);
	assert_string_equal(gone, "'content' is missing");
	/* it is made again */
	assert_int_equal(ba_slot_reset(slot, NULL), 0);
	assert_null(ba_slot_manifest(slot));
	fill(slot, "again");
	assert_null(damage_of(slot, NULL));
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(a_list_of_files_that_was_damaged_is_noticed)
{
	char *root = tmp_make();
	ba_error err = {0};
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	fill(slot, "library");
	BA_AUTO_FREE char *list = at("%s.files", ba_slot_dir(slot));
	BA_AUTO_FREE char *marker = at("%s.complete", ba_slot_dir(slot));
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, list, 4096, NULL), 0);
	text.data[2] ^= 1; /* of the permissions: a list all the same */
	assert_int_equal(ba_fs_write(list, text.data, text.len, 0600, &err), 0);
	BA_AUTO_FREE char *flipped = damage_of(slot, NULL);
	assert_has(flipped, "the list of its files is damaged");
	assert_int_equal(unlink(list), 0);
	BA_AUTO_FREE char *gone = damage_of(slot, NULL);
	assert_has(gone, "cannot be read");
	assert_int_equal(ba_fs_write(marker, KEY_A "\n", 65, 0600, &err), 0);
	BA_AUTO_FREE char *older = damage_of(slot, NULL);
	assert_has(older, "an earlier version");
	ba_workspace_free(ws);
	tmp_remove(root);
}

/* as another run sees it between open() and rename() of the marker */
TEST(a_sweep_leaves_the_files_of_a_tree_that_is_being_filled)
{
	char *root = tmp_make();
	ba_workspace *filling = open_at(root), *sweeping = open_at(root);
	ba_slot *slot = acquire(filling, KEY_A, 0);
	BA_AUTO_FREE char *trees = at("%s/trees", root);
	put(trees, "aaaaaaaaaaaaaaaa-a.complete.tmp-123", "half a mar");
	put(trees, "aaaaaaaaaaaaaaaa-a.files.tmp-0123456789abcdef", "half a list");
	put(trees, "notes of the user", "not ours");
	BA_AUTO_FREE char *marker = at("%s.complete.tmp-123", ba_slot_dir(slot));
	BA_AUTO_FREE char *list = at("%s.files.tmp-0123456789abcdef", ba_slot_dir(slot));
	BA_AUTO_FREE char *other = at("%s/notes of the user", trees);
	assert_int_equal(ba_workspace_sweep(sweeping, NULL), 0);
	assert_true(ba_fs_exists(marker));
	assert_true(ba_fs_exists(list));
	/* nobody fills it any more: they are leftovers */
	fill(slot, "content");
	ba_slot_release(slot);
	assert_int_equal(ba_workspace_sweep(sweeping, NULL), 0);
	assert_false(ba_fs_exists(marker));
	assert_false(ba_fs_exists(list));
	assert_true(ba_fs_exists(other));
	assert_true(ba_slot_is_complete(acquire(sweeping, KEY_A, 0)));
	ba_workspace_free(filling);
	ba_workspace_free(sweeping);
	tmp_remove(root);
}

static bool has_content(const ba_slot *slot)
{
	BA_AUTO_FREE char *path = at("%s/content", ba_slot_dir(slot));
	return ba_fs_exists(path);
}

static size_t entries_in(const char *root, const char *name)
{
	BA_AUTO_FREE char *path = at("%s/%s", root, name);
	BA_AUTO_FREE char *text = manifest(path, true);
	size_t n = text[0] != '\0' && strncmp(text, ".lock\t", 6) != 0;
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n += strncmp(p + 1, ".lock\t", 6) != 0;
	return n;
}

TEST(a_completed_tree_is_there_for_the_next_run)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	BA_AUTO_FREE char *dir = at("%s", ba_slot_dir(slot));
	assert_false(ba_slot_is_complete(slot));
	assert_true(ba_fs_is_dir(dir));
	fill(slot, "x");
	assert_true(ba_slot_is_complete(slot));
	ba_workspace_free(ws);
	ws = open_at(root);
	assert_int_equal(ba_workspace_sweep(ws, NULL), 0);
	slot = acquire(ws, KEY_A, 0);
	assert_true(ba_slot_is_complete(slot));
	assert_string_equal(ba_slot_dir(slot), dir);
	assert_true(has_content(slot));
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(an_incomplete_tree_leaves_nothing)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	put(ba_slot_dir(slot), "half", "x");
	ba_workspace_free(ws); /* as after Ctrl-C */
	assert_int_equal(entries_in(root, "trees"), 0);
	assert_int_equal(entries_in(root, "trash"), 0);
	assert_int_equal(entries_in(root, "run"), 0);
	tmp_remove(root);
}

TEST(paths_of_all_variants_are_equally_long)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	const ba_slot_key keys[] = {{KEY_B, 0}, {KEY_A, 1}, {KEY_A, 0}};
	ba_slot *slots[3];
	assert_int_equal(ba_workspace_acquire_all(slots, ws, keys, 3, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		size_t length = strlen(ba_slot_dir(slots[i]));
		assert_int_equal(length, strlen(ba_slot_dir(slots[0])));
	}
	assert_string_not_equal(ba_slot_dir(slots[1]), ba_slot_dir(slots[2]));
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(bad_keys_and_taking_a_tree_twice_are_refused)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = NULL;
	ba_slot *both[2] = {NULL, NULL};
	static const ba_slot_key bad[] = {{"short", 0}, {KEY_A, 26},
		{"../../../../../../../../../../../../../../../../../../etc/passwd..", 0}};
	const ba_slot_key twice[] = {{KEY_A, 0}, {KEY_A, 0}};
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(ba_workspace_acquire(&slot, ws, &bad[i], NULL), BA_EINVAL);
	assert_int_equal(ba_workspace_acquire_all(both, ws, twice, 2, NULL), BA_EINVAL);
	assert_null(both[0]);
	assert_int_equal(entries_in(root, "trees"), 0);
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(another_key_of_the_same_name_does_not_get_the_wrong_tree)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	fill(slot, "of the first key");
	ba_slot_release(slot);
	slot = acquire(ws, KEY_A2, 0);
	assert_false(ba_slot_is_complete(slot));
	assert_false(has_content(slot));
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(a_complete_tree_can_be_made_again_unless_it_is_in_use)
{
	char *root = tmp_make();
	ba_workspace *ours = open_at(root);
	ba_workspace *theirs = open_at(root);
	ba_slot *a = acquire(ours, KEY_A, 0);
	ba_error err = {0};
	fill(a, "x");
	ba_slot *b = acquire(theirs, KEY_A, 0); /* shared */
	assert_true(ba_slot_is_complete(b));
	assert_int_equal(ba_slot_reset(a, &err), BA_EIO);
	assert_has(err.text, "another run uses it");
	assert_true(has_content(b));
	/* a's lock is still shared: it is not others' to remove */
	ba_slot_release(b);
	ba_lock lock = BA_LOCK_NONE;
	BA_AUTO_FREE char *path = at("%s.lock", ba_slot_dir(a));
	bool busy = false;
	assert_int_equal(ba_lock_try(&lock, &busy, path, false, &err), 0);
	assert_true(busy);
	assert_int_equal(ba_slot_reset(a, &err), 0);
	assert_false(ba_slot_is_complete(a));
	assert_false(has_content(a));
	ba_workspace_free(theirs);
	ba_workspace_free(ours);
	tmp_remove(root);
}

/* Fork a run that takes a slot and half fills it, then waits to be killed. */
static pid_t start_victim(const char *root, const char *key)
{
	int ready[2];
	char byte;
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		ba_workspace *ws = open_at(root);
		ba_slot *slot = acquire(ws, key, 0);
		const char *scratch;
		put(ba_slot_dir(slot), "half", "x");
		if (ba_workspace_scratch(&scratch, ws, NULL) || write(ready[1], "r", 1) != 1)
			_exit(1);
		put(scratch, "objects/aa/bb", "x");
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0)
		assert_int_equal(errno, EINTR);
}

TEST(what_a_kill_leaves_is_cleaned_by_the_next_run)
{
	char *root = tmp_make();
	pid_t victim = start_victim(root, KEY_A);
	ba_workspace *ws = open_at(root);
	/* while it lives, it is left alone */
	assert_int_equal(ba_workspace_sweep(ws, NULL), 0);
	assert_true(entries_in(root, "trees") > 0);
	assert_true(entries_in(root, "run") > 0);
	assert_int_equal(kill(victim, SIGKILL), 0);
	reap(victim);
	assert_true(entries_in(root, "trees") > 0);
	assert_int_equal(ba_workspace_sweep(ws, NULL), 0);
	assert_int_equal(entries_in(root, "trees"), 0);
	assert_int_equal(entries_in(root, "run"), 0);
	assert_true(entries_in(root, "trash") > 0); /* deleted at the end */
	ba_workspace_free(ws);
	assert_int_equal(entries_in(root, "trash"), 0);
	tmp_remove(root);
}

TEST(a_killed_run_s_tree_can_be_taken_without_a_sweep)
{
	char *root = tmp_make();
	pid_t victim = start_victim(root, KEY_A);
	assert_int_equal(kill(victim, SIGKILL), 0);
	reap(victim);
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	BA_AUTO_FREE char *half = at("%s/half", ba_slot_dir(slot));
	assert_false(ba_slot_is_complete(slot));
	assert_false(ba_fs_exists(half));
	ba_workspace_free(ws);
	tmp_remove(root);
}

static bool at_once(void *data)
{
	(void)data;
	return true;
}

TEST(waiting_for_another_run_can_be_stopped)
{
	char *root = tmp_make();
	pid_t victim = start_victim(root, KEY_A);
	ba_workspace *ws = open_at(root);
	ba_slot *slot = NULL;
	const ba_slot_key key = {.key = KEY_A};
	ba_error err = {0};
	ba_workspace_set_stop(ws, at_once, NULL);
	assert_int_equal(ba_workspace_acquire(&slot, ws, &key, &err), BA_EINTERRUPTED);
	assert_null(slot);
	assert_int_equal(kill(victim, SIGKILL), 0);
	reap(victim);
	ba_workspace_free(ws);
	tmp_remove(root);
}

struct probe {
	const char *root;
	int rc; /* of taking KEY_B while the other waits for KEY_A */
};

static bool look_at_b(void *data)
{
	struct probe *probe = data;
	ba_workspace *ws = open_at(probe->root);
	ba_slot *slot;
	const ba_slot_key key = {.key = KEY_B};
	ba_workspace_set_stop(ws, at_once, NULL);
	probe->rc = ba_workspace_acquire(&slot, ws, &key, NULL);
	ba_workspace_free(ws);
	return true;
}

TEST(several_trees_are_taken_in_one_order_so_nobody_waits_in_a_circle)
{
	char *root = tmp_make();
	pid_t victim = start_victim(root, KEY_A);
	ba_workspace *ws = open_at(root);
	const ba_slot_key keys[] = {{KEY_B, 0}, {KEY_A, 0}};
	ba_slot *slots[2];
	struct probe probe = {.root = root, .rc = 1};
	ba_workspace_set_stop(ws, look_at_b, &probe);
	assert_int_equal(ba_workspace_acquire_all(slots, ws, keys, 2, NULL), BA_EINTERRUPTED);
	assert_int_equal(probe.rc, 0);
	assert_int_equal(kill(victim, SIGKILL), 0);
	reap(victim);
	ba_workspace_free(ws);
	tmp_remove(root);
}

/* One of several runs at once: takes two trees in its own order, makes what is missing,
 * checks what it got. Exits 0 if it filled none, 10 + n if it filled n, 1 on any
 * surprise. */
static int one_of_many(const char *root, int number)
{
	const ba_slot_key ab[] = {{KEY_A, 0}, {KEY_B, 0}};
	const ba_slot_key ba[] = {{KEY_B, 0}, {KEY_A, 0}};
	ba_slot *slots[2];
	ba_workspace *ws = open_at(root);
	int filled = 0;
	if (ba_workspace_sweep(ws, NULL) ||
		ba_workspace_acquire_all(slots, ws, number % 2 ? ab : ba, 2, NULL))
		return 1;
	for (int i = 0; i < 2; i++) {
		if (!ba_slot_is_complete(slots[i])) {
			const struct timespec work = {.tv_nsec = 20000000};
			if (has_content(slots[i]))
				return 1; /* somebody else is in here */
			put(ba_slot_dir(slots[i]), "content", "x");
			nanosleep(&work, NULL);
			if (ba_slot_complete(slots[i], NULL))
				return 1;
			filled++;
		}
		if (!has_content(slots[i]))
			return 1;
	}
	ba_workspace_free(ws);
	return filled ? 10 + filled : 0;
}

TEST(eight_runs_at_once_make_each_tree_once_and_do_not_deadlock)
{
	char *root = tmp_make();
	pid_t pids[8];
	int filled = 0;
	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			alarm(60);
			_exit(one_of_many(root, i));
		}
	}
	for (int i = 0; i < 8; i++) {
		int status;
		while (waitpid(pids[i], &status, 0) < 0)
			assert_int_equal(errno, EINTR);
		assert_true(WIFEXITED(status));
		assert_int_not_equal(WEXITSTATUS(status), 1);
		filled += WEXITSTATUS(status) ? WEXITSTATUS(status) - 10 : 0;
	}
	assert_int_equal(filled, 2);
	tmp_remove(root);
}

/* two trees, used a day apart */
static ba_workspace *with_two_trees(const char *root)
{
	ba_workspace *ws = open_at(root);
	const char *keys[] = {KEY_A, KEY_B};
	for (int i = 0; i < 2; i++) {
		const struct timespec times[2] = {
			{.tv_sec = 1000000 + 86400 * i}, {.tv_sec = 1000000 + 86400 * i}};
		ba_slot *slot = acquire(ws, keys[i], 0);
		BA_AUTO_FREE char *marker = at("%s.complete", ba_slot_dir(slot));
		fill(slot, "x");
		ba_slot_release(slot);
		assert_int_equal(utimensat(AT_FDCWD, marker, times, 0), 0);
	}
	return ws;
}

TEST(a_list_has_the_oldest_first_and_knows_what_is_in_use)
{
	char *root = tmp_make();
	ba_workspace *ws = with_two_trees(root);
	BA_AUTO(ba_workspace_list) ba_workspace_list list = {0};
	BA_AUTO(ba_workspace_list) ba_workspace_list used = {0};
	assert_int_equal(ba_workspace_list_trees(&list, ws, NULL), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.entries[0].key, KEY_A);
	assert_int_equal(list.entries[0].last_used, 1000000);
	assert_string_equal(list.entries[1].name, "bbbbbbbbbbbbbbbb-a");
	assert_true(list.bytes > 0);
	assert_false(list.entries[0].in_use);
	acquire(ws, KEY_A, 0); /* a use: now the newest */
	assert_int_equal(ba_workspace_list_trees(&used, ws, NULL), 0);
	assert_string_equal(used.entries[1].key, KEY_A);
	assert_true(used.entries[1].in_use);
	assert_false(used.entries[0].in_use);
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(pruning_by_age_takes_the_old_and_spares_what_is_in_use)
{
	char *root = tmp_make();
	ba_workspace *ws = with_two_trees(root);
	ba_pruned pruned = {0};
	const ba_prune policy = {
		.now = 1000000 + 2 * 86400, .max_age = 86400 + 10, .max_bytes = UINT64_MAX};
	assert_int_equal(ba_workspace_prune(&pruned, ws, &policy, NULL), 0);
	assert_int_equal(pruned.trees, 1);
	BA_AUTO_FREE char *a = at("%s/trees/aaaaaaaaaaaaaaaa-a", root);
	BA_AUTO_FREE char *b = at("%s/trees/bbbbbbbbbbbbbbbb-a", root);
	assert_false(ba_fs_exists(a));
	assert_true(ba_fs_exists(b));
	acquire(ws, KEY_B, 0);
	const ba_prune all = {.now = INT64_C(1) << 40, .max_age = 0, .max_bytes = 0};
	assert_int_equal(ba_workspace_prune(&pruned, ws, &all, NULL), 0);
	assert_int_equal(pruned.trees, 0);
	assert_int_equal(pruned.in_use, 1);
	assert_true(ba_fs_exists(b));
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(pruning_by_size_keeps_the_newest_that_fit)
{
	char *root = tmp_make();
	ba_workspace *ws = with_two_trees(root);
	BA_AUTO(ba_workspace_list) ba_workspace_list list = {0};
	ba_pruned pruned = {0};
	assert_int_equal(ba_workspace_list_trees(&list, ws, NULL), 0);
	const ba_prune policy = {.now = 0, .max_age = -1, .max_bytes = list.entries[1].bytes};
	assert_int_equal(ba_workspace_prune(&pruned, ws, &policy, NULL), 0);
	assert_int_equal(pruned.trees, 1);
	assert_int_equal(pruned.bytes, list.entries[0].bytes);
	assert_true(ba_fs_exists(list.entries[1].dir));
	assert_int_equal(entries_in(root, "trash"), 0);
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(a_lock_that_cannot_be_removed_is_told_by_prune)
{
	char *root = tmp_make();
	ba_workspace *ws = with_two_trees(root);
	ba_pruned pruned = {0};
	ba_error err = {0};
	const ba_prune all = {.now = INT64_C(1) << 40, .max_age = 0, .max_bytes = 0};
	no_unlink = "-a.lock";
	int rc = ba_workspace_prune(&pruned, ws, &all, &err);
	no_unlink = NULL;
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "cannot remove '");
	assert_has(err.text, "-a.lock': Input/output error");
	/* then it works, and sweeping takes the lock that was left */
	assert_int_equal(ba_workspace_prune(&pruned, ws, &all, &err), 0);
	assert_int_equal(pruned.trees, 1);
	assert_int_equal(ba_workspace_sweep(ws, &err), 0);
	assert_int_equal(entries_in(root, "trees"), 0);
	ba_workspace_free(ws);
	tmp_remove(root);
}

TEST(a_lock_that_cannot_be_looked_at_is_an_error_and_no_loop)
{
	char *root = tmp_make();
	BA_AUTO_FREE char *path = at("%s/x.lock", root);
	ba_lock lock = BA_LOCK_NONE;
	ba_error err = {0};
	bool busy;
	lstats_to_fail = 100;
	int rc = ba_lock_try(&lock, &busy, path, false, &err);
	unsigned left = lstats_to_fail;
	lstats_to_fail = 0;
	assert_int_equal(left, 99);
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "x.lock': Input/output error");
	assert_int_equal(ba_lock_try(&lock, &busy, path, false, &err), 0);
	assert_int_equal(ba_lock_remove(&lock, &err), 0);
	tmp_remove(root);
}

TEST(a_cache_that_cannot_be_written_says_what_to_set)
{
	char *root = tmp_make();
	ba_workspace *ws = NULL;
	ba_error err = {0};
	put(root, "file", "x");
	BA_AUTO_FREE char *inside_file = at("%s/file/cache", root);
	assert_int_equal(ba_workspace_open(&ws, inside_file, NULL, &err), BA_EIO);
	assert_has(err.text, "--cache-dir or BENCH_AGAINST_CACHE");
	assert_has(err.text, inside_file);
	assert_int_equal(chmod(root, 0555), 0);
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	int rc = ba_workspace_open(&ws, root, NULL, &err);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "Permission denied");
	assert_int_equal(chmod(root, 0755), 0);
	tmp_remove(root);
}

TEST(a_tree_that_vanished_is_made_again)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	ba_slot *slot = acquire(ws, KEY_A, 0);
	ba_error err = {0};
	fill(slot, "x");
	BA_AUTO_FREE char *dir = at("%s", ba_slot_dir(slot));
	ba_slot_release(slot);
	assert_int_equal(ba_fs_remove_tree(dir, &err), 0);
	slot = acquire(ws, KEY_A, 0);
	assert_false(ba_slot_is_complete(slot));
	assert_true(ba_fs_is_dir(dir));
	ba_workspace_free(ws);
	tmp_remove(root);
}

static ba_workspace *others;
static ba_slot *of_others;

static void another_makes_it(void)
{
	ba_pruned pruned = {0};
	const ba_prune all = {.now = INT64_C(1) << 40, .max_age = 0, .max_bytes = 0};
	assert_int_equal(ba_workspace_prune(&pruned, others, &all, NULL), 0);
	assert_int_equal(pruned.trees, 1);
	of_others = acquire(others, KEY_A, 0);
	put(ba_slot_dir(of_others), "content", "theirs");
}

TEST(a_tree_that_another_has_by_now_is_left_alone)
{
	char *root = tmp_make();
	ba_workspace *ours = open_at(root);
	ba_slot *slot = acquire(ours, KEY_A, 0);
	ba_error err = {0};
	others = open_at(root);
	while_sharing = another_makes_it;
	assert_int_equal(ba_slot_complete(slot, &err), BA_EIO);
	assert_has(err.text, "another process removed");
	ba_slot_release(slot);
	assert_true(has_content(of_others));
	assert_int_equal(ba_slot_complete(of_others, &err), 0);
	ba_workspace_free(others);
	ba_workspace_free(ours);
	tmp_remove(root);
}

static bool always(void *data)
{
	(void)data;
	return true;
}

/* a sweep has the file of a new lock before its maker does */
TEST(a_scratch_directory_waits_for_a_sweep)
{
	char *root = tmp_make();
	ba_workspace *ws = open_at(root);
	const char *scratch = NULL;
	ba_error err = {0};
	locks_to_refuse = 3;
	assert_int_equal(ba_workspace_scratch(&scratch, ws, &err), 0);
	assert_int_equal(locks_to_refuse, 0);
	assert_true(ba_fs_is_dir(scratch));
	ba_workspace_free(ws);
	ws = open_at(root);
	ba_workspace_set_stop(ws, always, NULL);
	locks_to_refuse = 1000;
	assert_int_equal(ba_workspace_scratch(&scratch, ws, &err), BA_EINTERRUPTED);
	locks_to_refuse = 0;
	ba_workspace_free(ws);
	tmp_remove(root);
}
