#include "cluster/exchange.h"

struct ba_exchange {
	char *dir;
};

static char *path_in(const ba_exchange *d, const char *name)
{
	return ba_path_join(d->dir, name);
}

/* ---- the directory ---- */

static ba_exchange *desk_of(const char *dir)
{
	ba_exchange *d = ba_xcalloc(1, sizeof(*d));
	d->dir = ba_path_absolute(dir);
	return d;
}

int ba_exchange_create(ba_exchange **out, const char *dir, ba_error *err)
{
	static const char *const folders[] = {"members", "work", "done"};
	BA_AUTO_PTR(ba_exchange) ba_exchange *d = desk_of(dir);
	if (mkdir(d->dir, 0700))
		return ba_fail_errno(err, BA_EIO, "exchange directory '%s'", d->dir);
	for (size_t i = 0; i < BA_COUNT(folders); i++) {
		BA_AUTO_FREE char *path = path_in(d, folders[i]);
		if (mkdir(path, 0700))
			return ba_fail_errno(err, BA_EIO, "exchange directory '%s'", path);
	}
	*out = BA_TAKE(d);
	return 0;
}

/* The plan names programs that run as this user. */
static int check_owner(const ba_exchange *d, ba_error *err)
{
	struct stat st;
	if (lstat(d->dir, &st))
		return ba_fail_errno(err, BA_EIO, "exchange directory '%s'", d->dir);
	if (!S_ISDIR(st.st_mode))
		return ba_fail(err, BA_EIO,
			"exchange directory '%s' is not a directory: somebody may have put it there; remove it",
			d->dir);
	if (st.st_uid != geteuid())
		return ba_fail(err, BA_EIO,
			"exchange directory '%s' belongs to user %u, not to user %u: choose another directory with --desk",
			d->dir, (unsigned)st.st_uid, (unsigned)geteuid());
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return ba_fail(err, BA_EIO,
			"other users can write to exchange directory '%s' (mode %04o): remove it",
			d->dir, (unsigned)st.st_mode & 07777);
	return 0;
}

int ba_exchange_open(ba_exchange **out, const char *dir, ba_error *err)
{
	BA_AUTO_PTR(ba_exchange) ba_exchange *d = desk_of(dir);
	BA_AUTO_FREE char *done = path_in(d, "done");
	if (!ba_fs_is_dir(done))
		return ba_fail(err, BA_ENOTFOUND,
			"'%s' is not an exchange directory, or its coordinator has removed it",
			d->dir);
	BA_TRY(check_owner(d, err));
	*out = BA_TAKE(d);
	return 0;
}

BA_OWNS_HANDLE(ba_exchange, d, free(d->dir))

int ba_exchange_remove(ba_exchange *d, ba_error *err)
{
	int rc = ba_fs_remove_tree(d->dir, err);
	ba_exchange_free(d);
	return rc;
}

const char *ba_exchange_dir(const ba_exchange *d)
{
	return d->dir;
}

/* ---- invocations ---- */

static char *done_path(const ba_exchange *d, unsigned epoch, uint64_t number)
{
	return ba_xprintf("%s/done/%u-%06" PRIu64 ".jsonl", d->dir, epoch, number);
}

char *ba_exchange_work_path(const ba_exchange *d, const char *member)
{
	return ba_xprintf("%s/work/%s.jsonl", d->dir, member);
}

int ba_exchange_publish(const ba_exchange *d, const char *member, unsigned epoch, uint64_t number,
	bool *taken, ba_error *err)
{
	BA_AUTO_FREE char *from = ba_exchange_work_path(d, member);
	BA_AUTO_FREE char *to = done_path(d, epoch, number);
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

bool ba_exchange_has(const ba_exchange *d, unsigned epoch, uint64_t number)
{
	BA_AUTO_FREE char *path = done_path(d, epoch, number);
	return access(path, F_OK) == 0;
}

int ba_exchange_take(ba_journal_content *out, const ba_exchange *d, unsigned epoch, uint64_t number,
	ba_error *err)
{
	BA_AUTO_FREE char *path = done_path(d, epoch, number);
	return ba_journal_read_invocation(out, path, number, err);
}

int ba_exchange_drop(const ba_exchange *d, unsigned epoch, uint64_t number, ba_error *err)
{
	BA_AUTO_FREE char *path = done_path(d, epoch, number);
	if (unlink(path) && errno != ENOENT)
		return ba_fail_errno(err, BA_EIO, "invocation '%s'", path);
	return 0;
}
