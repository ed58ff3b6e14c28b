/* Whole screens and files against reviewed ones in tests/golden/. With BA_UPDATE_GOLDEN
 * in the environment (tests/golden/update.sh) they are written instead of compared. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/base.h"

static inline void assert_golden(const char *file, const ba_buf *got)
{
	BA_AUTO_FREE char *path = ba_xprintf(BA_SOURCE_DIR "/tests/golden/%s", file);
	ba_error err;
	if (getenv("BA_UPDATE_GOLDEN")) {
		assert_int_equal(ba_fs_write(path, got->data, got->len, 0644, &err), 0);
		return;
	}
	BA_AUTO(ba_buf) ba_buf expected = BA_BUF_INIT;
	if (ba_fs_read(&expected, path, 1 << 20, &err))
		fail_msg("%s", err.text);
	if (strcmp(got->data, expected.data) != 0)
		fprintf(stderr, "---- %s: expected\n%s---- got\n%s----\n", path, expected.data,
			got->data);
	assert_string_equal(got->data, expected.data);
}

#endif
