#include "cluster/exchange.h"

/* ---- the directory ---- */

int ba_exchange_create(const char *dir, ba_error *err)
{
	static const char *const folders[] = {"", "members", "work", "done"};
	for (size_t i = 0; i < BA_COUNT(folders); i++) {
		BA_AUTO_FREE char *path =
			*folders[i] ? ba_path_join(dir, folders[i]) : ba_xstrdup(dir);
		if (mkdir(path, 0700))
			return ba_fail_errno(err, BA_EIO, "exchange directory '%s'", path);
	}
	return 0;
}

/* The plan names programs that run as this user. */
static int check_owner(const char *dir, ba_error *err)
{
	struct stat st;
	if (lstat(dir, &st))
		return ba_fail_errno(err, BA_EIO, "exchange directory '%s'", dir);
	if (!S_ISDIR(st.st_mode))
		return ba_fail(err, BA_EIO,
			"exchange directory '%s' is not a directory: somebody may have put it there; remove it",
			dir);
	if (st.st_uid != geteuid())
		return ba_fail(err, BA_EIO,
			"exchange directory '%s' belongs to user %u, not to user %u: choose another directory with --desk",
			dir, (unsigned)st.st_uid, (unsigned)geteuid());
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return ba_fail(err, BA_EIO,
			"other users can write to exchange directory '%s' (mode %04o): remove it",
			dir, (unsigned)st.st_mode & 07777);
	return 0;
}

int ba_exchange_check(const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *done = ba_path_join(dir, "done");
	if (!ba_fs_is_dir(done))
		return ba_fail(err, BA_ENOTFOUND,
			"'%s' is not an exchange directory, or its coordinator has removed it",
			dir);
	return check_owner(dir, err);
}

/* ---- invocations ---- */

static char *done_path(const char *dir, unsigned epoch, uint64_t number)
{
	return ba_xprintf("%s/done/%u-%06" PRIu64 ".jsonl", dir, epoch, number);
}

char *ba_exchange_work_path(const char *dir, const char *member)
{
	return ba_xprintf("%s/work/%s.jsonl", dir, member);
}

int ba_exchange_publish(const char *dir, const char *member, unsigned epoch, uint64_t number,
	bool *taken, ba_error *err)
{
	BA_AUTO_FREE char *from = ba_exchange_work_path(dir, member);
	BA_AUTO_FREE char *to = done_path(dir, epoch, number);
	bool first = link(from, to) == 0;
	if (!first && errno != EEXIST)
		return ba_fail_errno(
			err, errno == ENOENT ? BA_ENOTFOUND : BA_EIO, "invocation '%s'", to);
	if (unlink(from))
		return ba_fail_errno(err, BA_EIO, "invocation '%s'", from);
	if (taken)
		*taken = !first;
	return 0;
}

bool ba_exchange_has(const char *dir, unsigned epoch, uint64_t number)
{
	BA_AUTO_FREE char *path = done_path(dir, epoch, number);
	return access(path, F_OK) == 0;
}

int ba_exchange_take(
	ba_journal_content *out, const char *dir, unsigned epoch, uint64_t number, ba_error *err)
{
	BA_AUTO_FREE char *path = done_path(dir, epoch, number);
	return ba_journal_read_invocation(out, path, number, err);
}

int ba_exchange_drop(const char *dir, unsigned epoch, uint64_t number, ba_error *err)
{
	BA_AUTO_FREE char *path = done_path(dir, epoch, number);
	if (unlink(path) && errno != ENOENT)
		return ba_fail_errno(err, BA_EIO, "invocation '%s'", path);
	return 0;
}
