#include "cli/outputs.h"

#include <unistd.h>

#include "base/path.h"

const ba_format_options ba_outputs_plain = {.width = 100, .unicode = true};

int ba_outputs_write(
	const char *path, const ba_format *format, const ba_result *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	format->write(&text, r, &ba_outputs_plain);
	return ba_fs_write_atomic(path, text.data, text.len, err);
}

int ba_outputs_prepare(const char *dir, ba_error *err)
{
	if (ba_fs_exists(dir) && !ba_fs_is_dir(dir))
		return ba_fail(err, BA_EINVAL,
			"'%s' is a file; a report is a directory of files", dir);
	int rc = ba_fs_mkdirs(dir, err);
	if (rc == 0 && access(dir, W_OK))
		return ba_fail_errno(err, BA_EIO, "'%s' cannot be written", dir);
	return rc;
}

int ba_outputs_write_all(const char *dir, const ba_result *r, ba_error *err)
{
	int rc = ba_outputs_prepare(dir, err);
	for (const ba_format *f = ba_formats; f->name && rc == 0; f++) {
		BA_AUTO_FREE char *path = ba_path_join(dir, f->file);
		rc = ba_outputs_write(path, f, r, err);
	}
	return rc;
}
