/*
 * Arenas (gpu/arena.h) as a library that Python loads with ctypes
 * (python/bench_against_worker/arena.py). The two processes of a judgement both use it: the
 * one that owns inputs and results, and the one that computes.
 *
 * Without a GPU the memory is that of the host: a file in memory whose size is sealed, so
 * that a process that was given it cannot take pages away from its owner.
 *
 * Functions return 0, or -1 with a sentence in ba_pyarena_text().
 */
#include <sys/mman.h>

#include "gpu/arena.h"

#define EXPORTED __attribute__((visibility("default")))

typedef struct ba_pyarena {
	bool on_host;
	ba_arena device;
	unsigned char *at; /* on the host */
	size_t bytes;
	int fd; /* of the memory behind `at`, or -1 */
} ba_pyarena;

static ba_error last;
static ba_driver driver;

EXPORTED const char *ba_pyarena_text(void);
EXPORTED ba_pyarena *ba_pyarena_new(int device, size_t bytes);
EXPORTED uint64_t ba_pyarena_at(const ba_pyarena *a);
EXPORTED int ba_pyarena_renew(ba_pyarena *a, size_t bytes);
EXPORTED int ba_pyarena_export(int *fd, const ba_pyarena *a);
EXPORTED int ba_pyarena_take(ba_pyarena *a, int fd, size_t bytes);
EXPORTED int ba_pyarena_drop(ba_pyarena *a);
EXPORTED int ba_pyarena_reset_l2(void);

/* Why the last function failed. */
const char *ba_pyarena_text(void)
{
	return last.text;
}

static int answer(int rc)
{
	return rc ? -1 : 0;
}

/* The primary context, which the runtime of CUDA and so all libraries for Python use. */
static int open_device(cu_device *out, int ordinal)
{
	cu_context context;
	if (!driver.library) {
		BA_TRY(ba_driver_open(&driver, NULL, &last));
		BA_TRY(ba_driver_init(&driver, &last));
	}
	BA_DRIVER_TRY(&driver, &last, "cuDeviceGet", device_get(out, ordinal));
	BA_DRIVER_TRY(
		&driver, &last, "cuDevicePrimaryCtxRetain", primary_ctx_retain(&context, *out));
	BA_DRIVER_TRY(&driver, &last, "cuCtxSetCurrent", ctx_set_current(context));
	return 0;
}

/* ---- memory of the host ---- */

static int host_reserve(ba_pyarena *a, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (bytes == 0 || bytes > SIZE_MAX / 2)
		return ba_fail(&last, BA_EINVAL, "an arena of %zu bytes", bytes);
	a->bytes = (bytes + page - 1) / page * page;
	void *at =
		mmap(NULL, a->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return ba_fail_errno(&last, BA_EIO, "cannot reserve %zu bytes", a->bytes);
	a->at = at;
	return 0;
}

static int host_drop(ba_pyarena *a)
{
	void *at = mmap(a->at, a->bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
	return at == MAP_FAILED ? ba_fail_errno(&last, BA_EIO, "mmap") : 0;
}

/* Maps the file and keeps it, also on failure. All pages are there at once, as on a GPU:
 * nobody pays for them when it writes first. */
static int host_map(ba_pyarena *a, int fd, size_t bytes)
{
	BA_TRY(host_drop(a));
	a->fd = fd;
	if (bytes > a->bytes)
		return ba_fail(&last, BA_EINVAL, "%zu bytes of an arena of %zu", bytes, a->bytes);
	void *at = mmap(
		a->at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0);
	return at == MAP_FAILED ? ba_fail_errno(&last, BA_EIO, "mmap") : 0;
}

static int host_renew(ba_pyarena *a, size_t bytes)
{
	int fd = memfd_create("bench-against", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return ba_fail_errno(&last, BA_EIO, "memfd_create");
	if (ftruncate(fd, (off_t)bytes) ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(fd);
		return ba_fail_errno(&last, BA_EIO, "cannot make %zu bytes to share", bytes);
	}
	return host_map(a, fd, bytes);
}

static int host_take(ba_pyarena *a, int fd, size_t bytes)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return ba_fail_errno(&last, BA_EIO, "dup");
	return host_map(a, own, bytes);
}

/* ---- both ---- */

/* device: an ordinal, or below 0 for memory of the host. The addresses stay for the life
 * of the process, because views of them may stay. */
ba_pyarena *ba_pyarena_new(int device, size_t bytes)
{
	ba_pyarena *a = calloc(1, sizeof(*a));
	cu_device handle = 0;
	int rc = a ? 0 : ba_fail(&last, BA_EIO, "out of memory");
	if (rc)
		return NULL;
	*a = (ba_pyarena){.on_host = device < 0, .fd = -1};
	if (a->on_host)
		rc = host_reserve(a, bytes);
	else
		rc = open_device(&handle, device);
	if (rc == 0 && !a->on_host)
		rc = ba_arena_reserve(&a->device, &driver, handle, bytes, &last);
	if (rc == 0)
		return a;
	free(a);
	return NULL;
}

uint64_t ba_pyarena_at(const ba_pyarena *a)
{
	return a->on_host ? (uint64_t)(uintptr_t)a->at : a->device.at;
}

/* New memory for the first bytes: zeroed on the host, undefined on a device. */
int ba_pyarena_renew(ba_pyarena *a, size_t bytes)
{
	return answer(a->on_host ? host_renew(a, bytes) : ba_arena_renew(&a->device, bytes, &last));
}

/* *fd: the caller closes it. */
int ba_pyarena_export(int *fd, const ba_pyarena *a)
{
	if (!a->on_host)
		return answer(ba_arena_export(fd, &a->device, &last));
	*fd = fcntl(a->fd, F_DUPFD_CLOEXEC, 0);
	return answer(*fd < 0 ? ba_fail_errno(&last, BA_EIO, "dup") : 0);
}

/* `fd` still belongs to the caller. */
int ba_pyarena_take(ba_pyarena *a, int fd, size_t bytes)
{
	return answer(
		a->on_host ? host_take(a, fd, bytes) : ba_arena_take(&a->device, fd, bytes, &last));
}

int ba_pyarena_drop(ba_pyarena *a)
{
	return answer(a->on_host ? host_drop(a) : ba_arena_drop(&a->device, &last));
}

/* Lines that a kernel made persistent in the L2 cache become ordinary ones. */
int ba_pyarena_reset_l2(void)
{
	if (!driver.library || !driver.ctx_reset_persisting_l2)
		return 0;
	return answer(driver.ctx_reset_persisting_l2());
}
