/* A library on the disk that is to be moved. */
#ifndef TESTS_LAYOUT_MOVABLE_H
#define TESTS_LAYOUT_MOVABLE_H

#include "base/buf.h"
#include "base/base.h"
#include "layout/shift.h"

static inline int movable_read(ba_movable *out, const char *path, size_t page, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	int rc = ba_fs_read(&file, path, 1 << 26, err);
	return rc ? rc : ba_movable_of(out, file.data, file.len, page, err);
}

#endif
