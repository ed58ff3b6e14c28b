/* The library is opened by name, so a process that reads no compressed file does not
 * need it. */
#include <dlfcn.h>

#include "base/base.h"

/* zlib's functions as in its header */
typedef struct zlib {
	void *(*open)(int fd, const char *mode);
	int (*read)(void *file, void *out, unsigned size);
	int (*close)(void *file);
} zlib;

static int load(zlib *z, const char *path, ba_error *err)
{
	void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
	void *functions[] = {library ? dlsym(library, "gzdopen") : NULL,
		library ? dlsym(library, "gzread") : NULL,
		library ? dlsym(library, "gzclose") : NULL};
	if (!functions[0] || !functions[1] || !functions[2])
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' is compressed, and libz.so.1 is missing; decompress it first: gunzip -k",
			path);
	memcpy(&z->open, &functions[0], sizeof(z->open));
	memcpy(&z->read, &functions[1], sizeof(z->read));
	memcpy(&z->close, &functions[2], sizeof(z->close));
	return 0;
}

/* closes the file */
static int copy(int to, const zlib *z, void *file, const char *path, ba_error *err)
{
	char chunk[65536];
	size_t size = 0;
	int n, rc = 0;
	while (rc == 0 && (n = z->read(file, chunk, sizeof(chunk))) > 0) {
		size += (size_t)n;
		if (size > BA_GUNZIP_MOST)
			rc = ba_fail(err, BA_EDATA,
				"'%s' is larger than the limit of %zu GiB when decompressed; decompress it first: gunzip -k",
				path, BA_GUNZIP_MOST >> 30);
		else if (ba_fs_write_all(to, chunk, (size_t)n))
			rc = ba_fail_errno(err, BA_EIO,
				"'%s' cannot be decompressed into a temporary file (TMPDIR)", path);
	}
	/* a truncated file is detected here */
	bool damaged = z->close(file) != 0;
	if (rc == 0 && (n < 0 || damaged))
		rc = ba_fail(err, BA_EDATA, "'%s' is a damaged gzip file; copy it again", path);
	return rc;
}

static int decompress(int *out, int packed, const char *path, ba_error *err)
{
	zlib z;
	BA_AUTO_FD int plain = -1;
	int mine = -1;
	BA_TRY(load(&z, path, err));
	BA_TRY(ba_fs_open_unnamed(&plain, err));
	mine = fcntl(packed, F_DUPFD_CLOEXEC, 3); /* gzclose closes it */
	void *file = mine < 0 ? NULL : z.open(mine, "rb");
	if (!file) {
		if (mine >= 0)
			close(mine);
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", path);
	}
	int rc = copy(plain, &z, file, path, err);
	if (rc == 0 && lseek(plain, 0, SEEK_SET) < 0)
		rc = ba_fail_errno(err, BA_EIO, "cannot read '%s'", path);
	if (rc == 0) {
		*out = plain;
		plain = -1;
	}
	return rc;
}

int ba_gunzip_open(int *fd, const char *path, ba_error *err)
{
	unsigned char magic[2] = {0};
	BA_AUTO_FD int file = open(path, O_RDONLY | O_CLOEXEC);
	/* a pipe cannot be read twice */
	ssize_t n = file < 0 ? -1 : pread(file, magic, 2, 0);
	if (file < 0 || (n < 0 && errno == EISDIR))
		return ba_fail_errno(err, ba_fs_code(errno), "cannot read '%s'", path);
	if (n == 2 && magic[0] == 0x1f && magic[1] == 0x8b)
		return decompress(fd, file, path, err);
	*fd = file;
	/* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): its cleanup reads it */
	file = -1;
	return 0;
}
