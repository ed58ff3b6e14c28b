#include "base/seal.h"

#include "base/base.h"

struct ba_seal_row {
	char *path; /* relative to the directory; "." for itself */
	struct stat st;
};

BA_OWNS(ba_seal, s, BA_FREE_EACH(x, s->rows, s->count, free(x->path)), free(s->dir))

static int add(void *data, const char *path, const struct stat *st, ba_error *err)
{
	ba_seal *s = data;
	*BA_PUSH(s->rows, s->count, s->capacity) = (ba_seal_row){ba_xstrdup(path), *st};
	return 0;
}

int ba_seal_make(ba_seal *out, const char *dir, ba_error *err)
{
	BA_AUTO(ba_seal) ba_seal s = {.dir = ba_xstrdup(dir)};
	BA_TRY(ba_fs_walk(dir, add, &s, err));
	*out = BA_MOVE(s);
	return 0;
}

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_mode == b->st_mode &&
	       a->st_uid == b->st_uid && a->st_gid == b->st_gid && a->st_size == b->st_size &&
	       is_same_time(a->st_mtim, b->st_mtim) && is_same_time(a->st_ctim, b->st_ctim);
}

/* Both lists have the same order up to the first difference. A changed file is preferred to
 * the folder whose time changed with it. */
static char *first_difference(const ba_seal *then, const ba_seal *now)
{
	const char *folder = NULL;
	for (size_t i = 0; i < then->count || i < now->count; i++) {
		const ba_seal_row *a = i < then->count ? &then->rows[i] : NULL;
		const ba_seal_row *b = i < now->count ? &now->rows[i] : NULL;
		if (a && b && strcmp(a->path, b->path) == 0) {
			if (is_same(&a->st, &b->st))
				continue;
			if (!S_ISDIR(b->st.st_mode))
				return ba_xprintf("'%s' was changed", a->path);
			folder = a->path;
		} else if (b &&
			   !BA_ANY(then->rows, then->count, row, strcmp(row->path, b->path) == 0)) {
			return ba_xprintf("'%s' was added", b->path);
		} else {
			return ba_xprintf("'%s' was removed", a ? a->path : b->path);
		}
	}
	return folder ? ba_xprintf("'%s' was changed", folder) : NULL;
}

int ba_seal_check(char **changed, const ba_seal *seal, ba_error *err)
{
	BA_AUTO(ba_seal) ba_seal now = {0};
	BA_TRY(ba_seal_make(&now, seal->dir, err));
	*changed = first_difference(seal, &now);
	return 0;
}
