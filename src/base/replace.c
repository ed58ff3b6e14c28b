#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"

/* stdio forgets why a write failed once the next has been tried */
struct ba_replacement_fd {
	int fd;
	int error;
};

static ssize_t write_piece(void *cookie, const char *data, size_t size)
{
	struct ba_replacement_fd *f = cookie;
	if (f->error == 0 && ba_fs_write_all(f->fd, data, size))
		f->error = errno;
	errno = f->error;
	return f->error ? 0 : (ssize_t)size;
}

static int fail(const ba_replacement *f, ba_error *err)
{
	return ba_fail_errno(err, BA_EIO, "cannot write '%s'", f->path);
}

int ba_replacement_open(ba_replacement *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {.path = ba_xstrdup(path)};
	struct stat st;
	/* a pipe or a device is written to: a file in its place would be the end of
	 * /dev/null, where root says --output /dev/null */
	bool in_place = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	if (!in_place) {
		/* where it is a link, what it points to is written and the link stays
		 */
		BA_AUTO_FREE char *resolved = realpath(path, NULL);
		f.target = ba_xstrdup(resolved ? resolved : path);
		f.temporary = ba_xprintf("%s.tmp-%ld", f.target, (long)getpid());
	}
	int fd = open(in_place ? path : f.temporary,
		O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(&f, err);
	f.fd = ba_xcalloc(1, sizeof(*f.fd));
	f.fd->fd = fd;
	f.file = fopencookie(f.fd, "w", (cookie_io_functions_t){.write = write_piece});
	if (!f.file)
		return fail(&f, err);
	*out = f;
	f = (ba_replacement){0};
	return 0;
}

int ba_replacement_commit(ba_replacement *f, ba_error *err)
{
	int error = fflush(f->file) ? errno : 0;
	error = f->fd->error ? f->fd->error : error;
	if (!error && f->temporary && fsync(f->fd->fd))
		error = errno;
	fclose(f->file);
	f->file = NULL;
	if (close(f->fd->fd) && !error)
		error = errno;
	f->fd->fd = -1;
	errno = error;
	if (error || (f->temporary && rename(f->temporary, f->target)))
		return fail(f, err);
	free(f->temporary);
	f->temporary = NULL;
	return 0;
}

void ba_replacement_dispose(ba_replacement *f)
{
	int saved = errno;
	if (f->file)
		fclose(f->file);
	if (f->fd && f->fd->fd >= 0)
		close(f->fd->fd);
	free(f->fd);
	if (f->temporary)
		unlink(f->temporary);
	errno = saved;
	free(f->path);
	free(f->target);
	free(f->temporary);
	*f = (ba_replacement){0};
}
