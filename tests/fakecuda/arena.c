/* Memory at an address that stays, whose contents another arena chooses. */
#include "test.h"

#include <unistd.h>

#include "gpu/arena.h"
#include "gpu/device.h"

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define HOST BA_BINARY_DIR "/tests/fakecuda/host/libcuda.so.1"

static ba_driver drv;
static ba_device device;

static int open_driver(const char *path)
{
	ba_error err;
	int rc = ba_driver_open(&drv, path, &err);
	rc = rc ? rc : ba_driver_init(&drv, &err);
	rc = rc ? rc : ba_device_open(&device, &drv, 0, &err);
	return rc ? rc : ba_device_enter(&device, &err);
}

static void close_driver(void)
{
	ba_device_leave(&device);
	ba_driver_close(&drv);
}

static unsigned char byte_at(const ba_arena *a, size_t i)
{
	unsigned char byte = 0;
	assert_int_equal(drv.memcpy_dtoh(&byte, a->at + i, 1), 0);
	return byte;
}

TEST(what_one_writes_the_other_finds)
{
	ba_arena a, b;
	ba_error err;
	int fd = -1;
	assert_int_equal(open_driver(FAKE), 0);
	assert_int_equal(ba_arena_reserve(&a, &drv, device.handle, 5000, &err), 0);
	assert_int_equal(ba_arena_reserve(&b, &drv, device.handle, 5000, &err), 0);
	assert_true(a.bytes >= 5000);
	assert_int_equal(ba_arena_renew(&a, a.bytes, &err), 0);
	assert_int_equal(ba_arena_renew(&b, b.bytes, &err), 0);
	cu_deviceptr place = b.at;
	drv.memset_d8(a.at, 7, a.bytes);
	drv.memset_d8(b.at, 8, b.bytes);
	assert_int_equal(ba_arena_export(&fd, &a, &err), 0);
	assert_int_equal(ba_arena_take(&b, fd, b.bytes, &err), 0);
	close(fd);
	assert_int_equal(b.at, place);
	assert_int_equal(byte_at(&b, 4999), 7);
	drv.memset_d8(b.at + 100, 9, 1);
	assert_int_equal(byte_at(&a, 100), 9);
	/* what is written into new memory, nobody sees who took the old one */
	assert_int_equal(ba_arena_renew(&a, a.bytes, &err), 0);
	drv.memset_d8(a.at, 1, a.bytes);
	assert_int_equal(byte_at(&b, 4999), 7);
	/* fewer bytes are enough for both */
	ba_arena_free(&a);
	ba_arena_free(&b);
	assert_int_equal(ba_arena_reserve(&a, &drv, device.handle, 8 << 20, &err), 0);
	assert_int_equal(ba_arena_reserve(&b, &drv, device.handle, 8 << 20, &err), 0);
	assert_int_equal(ba_arena_renew(&a, 1, &err), 0);
	assert_true(a.backed > 0 && a.backed < a.bytes);
	drv.memset_d8(a.at, 3, a.backed);
	assert_int_equal(ba_arena_export(&fd, &a, &err), 0);
	assert_int_equal(ba_arena_take(&b, fd, 1, &err), 0);
	close(fd);
	assert_int_equal(b.backed, a.backed);
	assert_int_equal(byte_at(&b, b.backed - 1), 3);
	/* and an end of its own */
	assert_int_equal(ba_arena_drop(&b, &err), 0);
	assert_int_equal(ba_arena_drop(&b, &err), 0);
	ba_arena_free(&a);
	ba_arena_free(&b);
	ba_arena_free(&b);
	close_driver();
}

TEST(memory_of_another_size_is_refused)
{
	ba_arena a, b;
	ba_error err;
	int fd = -1;
	assert_int_equal(open_driver(FAKE), 0);
	assert_int_equal(ba_arena_reserve(&a, &drv, device.handle, 1, &err), 0);
	assert_int_equal(ba_arena_reserve(&b, &drv, device.handle, 2 * a.bytes, &err), 0);
	assert_int_equal(ba_arena_renew(&a, a.bytes, &err), 0);
	assert_int_equal(ba_arena_export(&fd, &a, &err), 0);
	assert_int_not_equal(ba_arena_take(&b, fd, b.bytes, &err), 0);
	close(fd);
	assert_int_equal(ba_arena_reserve(&(ba_arena){0}, &drv, device.handle, 0, &err), BA_EINVAL);
	ba_arena_free(&a);
	ba_arena_free(&b);
	close_driver();
}

TEST(a_driver_without_it_says_so)
{
	ba_arena a;
	ba_error err;
	assert_int_equal(open_driver(HOST), 0);
	assert_int_not_equal(ba_arena_reserve(&a, &drv, device.handle, 4096, &err), 0);
	drv.mem_export = NULL;
	assert_int_equal(ba_arena_reserve(&a, &drv, device.handle, 4096, &err), BA_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "cannot share memory between processes"));
	ba_arena_free(&a);
	close_driver();
}
