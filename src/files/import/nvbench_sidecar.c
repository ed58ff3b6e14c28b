#include "import/nvbench.h"

enum { SIDECAR_MOST = 1 << 28 };

bool ba_nvbench_number(double *out, const char *text)
{
	bool minus = *text == '-';
	if (strcmp(text + minus, "inf") == 0) {
		*out = minus ? -INFINITY : INFINITY;
		return true;
	}
	return ba_parse_decimal(out, text, strlen(text));
}

/* Relative to the JSON's folder; older versions wrote the path from the folder above,
 * or from where the program was started. *inside: it is a file of that folder. */
static char *find(bool *inside, const char *json_path, const char *filename)
{
	BA_AUTO_FREE char *dir = ba_path_dir(json_path);
	BA_AUTO_FREE char *above = ba_path_join(dir, "..");
	const char *const dirs[] = {dir, above, "."};
	for (size_t i = 0; i < BA_COUNT(dirs); i++) {
		char *path = ba_path_join(dirs[i], filename);
		if (ba_fs_exists(path) && !ba_fs_is_dir(path)) {
			*inside = ba_fs_is_file_below(path, dirs[i]);
			return path;
		}
		free(path);
	}
	return NULL;
}

/* packed float32, little-endian, seconds */
static void unpack(ba_values *out, const ba_buf *bytes)
{
	for (size_t i = 0; i + 4 <= bytes->len; i += 4) {
		const unsigned char *b = (const unsigned char *)bytes->data + i;
		uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
				(uint32_t)b[3] << 24;
		float seconds;
		memcpy(&seconds, &bits, sizeof(seconds));
		ba_values_add(out, (double)seconds * 1e9);
	}
}

int ba_nvbench_sidecar(ba_values *out, bool *found, const char *json_path, const char *filename,
	double size, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(filename);
	if (!ba_path_is_inside(filename))
		return ba_fail(err, BA_EDATA,
			"the samples file '%s' is outside of the folder of the results, so it is not read",
			safe);
	bool inside = false;
	BA_AUTO_FREE char *path = find(&inside, json_path, filename);
	*found = path != NULL;
	if (!path)
		return 0;
	if (!inside)
		return ba_fail(err, BA_EDATA,
			"the samples file '%s' is not a regular file, or is a link that leaves the folder of the results, so it is not read",
			safe);
	BA_AUTO(ba_buf) ba_buf bytes = BA_BUF_INIT;
	BA_TRY(ba_fs_read(&bytes, path, SIDECAR_MOST, err));
	if (bytes.len % 4 || (!isnan(size) && (double)bytes.len != 4 * size))
		return ba_fail(err, BA_EDATA,
			"'%s' has %zu bytes, but should have %.15g samples of 4 bytes; it is truncated, or belongs to another run",
			safe, bytes.len, size);
	unpack(out, &bytes);
	return 0;
}
