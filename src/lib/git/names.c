/* Which names a tree may have: those that git itself checks out. */
#include <git2/sys/path.h>

#include "git/internal.h"

/* Code points in UTF-8 that HFS+ ignores when it compares names. */
static size_t ignorable(const char *p, size_t n)
{
	const unsigned char *u = (const unsigned char *)p;
	if (n < 3)
		return 0;
	if (u[0] == 0xe2 && u[1] == 0x80 &&
		((u[2] >= 0x8c && u[2] <= 0x8f) || (u[2] >= 0xaa && u[2] <= 0xae)))
		return 3;
	if (u[0] == 0xe2 && u[1] == 0x81 && u[2] >= 0xaa && u[2] <= 0xaf)
		return 3;
	return u[0] == 0xef && u[1] == 0xbb && u[2] == 0xbf ? 3 : 0;
}

/* Would some file system treat this component as `.git`? NTFS cuts off streams and
 * trailing dots and spaces, and has short names. */
static bool is_dot_git(const char *p, size_t n)
{
	char name[256]; /* no file system accepts longer names */
	size_t len = 0;
	for (size_t i = 0; i < n && len < sizeof(name) - 1;) {
		size_t skip = ignorable(p + i, n - i);
		if (skip == 0 && (p[i] == ':' || p[i] == '\\'))
			break;
		if (skip == 0)
			name[len++] = p[i];
		i += skip ? skip : 1;
	}
	while (len > 0 && (name[len - 1] == ' ' || name[len - 1] == '.'))
		len--;
	name[len] = '\0';
	return strcasecmp(name, ".git") == 0 || strcasecmp(name, "git~1") == 0;
}

/* A mistake here would let a tree write into `.git`, where git finds programs to run. */
static bool is_acceptable_name(const char *p, size_t n)
{
	return n > 0 && !(n == 1 && p[0] == '.') && !(n == 2 && p[0] == '.' && p[1] == '.') &&
	       !memchr(p, '/', n) && !is_dot_git(p, n);
}

static bool is_acceptable_link(const char *name)
{
	return git_path_is_gitfile(
		       name, strlen(name), GIT_PATH_GITFILE_GITMODULES, GIT_PATH_FS_GENERIC) == 0;
}

static int check_entry(const char *parent, const git_tree_entry *entry, void *data)
{
	const char *name = git_tree_entry_name(entry);
	char **refused = data;
	if (is_acceptable_name(name, strlen(name)) &&
		(git_tree_entry_filemode(entry) != GIT_FILEMODE_LINK || is_acceptable_link(name)))
		return 0;
	*refused = ba_xprintf("%s%s", parent, name);
	return GIT_EUSER;
}

int ba_git_names_check(const git_tree *tree, ba_error *err)
{
	BA_AUTO_FREE char *refused = NULL;
	int rc = git_tree_walk(tree, GIT_TREEWALK_PRE, check_entry, &refused);
	if (refused) {
		BA_AUTO_FREE char *safe = ba_text_safe(refused);
		return ba_fail(err, BA_EDATA,
			"the tree holds the path '%s', which git refuses to check out", safe);
	}
	return rc ? ba_git_fail(err, BA_EIO, "the tree cannot be read") : 0;
}
