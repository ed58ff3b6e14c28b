/* A fuzz target as a plain program: every file of the folders named, once. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	BA_AUTO(ba_buf) ba_buf bytes = BA_BUF_INIT;
	ba_error err;
	if (ba_fs_read(&bytes, path, 1 << 26, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	/* a copy without a byte behind it, so that a read beyond the end is seen */
	BA_AUTO_FREE uint8_t *exact = ba_xmalloc(bytes.len ? bytes.len : 1);
	for (size_t i = 0; i < bytes.len; i++)
		exact[i] = (uint8_t)bytes.data[i];
	LLVMFuzzerTestOneInput(exact, bytes.len);
	return 1;
}

static int run_folder(const char *path)
{
	int count = 0;
	DIR *dir = opendir(path);
	if (!dir) {
		perror(path);
		return -1;
	}
	for (struct dirent *e; (e = readdir(dir));) {
		BA_AUTO_FREE char *file = ba_path_join(path, e->d_name);
		if (e->d_name[0] == '.' || ba_fs_is_dir(file))
			continue;
		int one = run_file(file);
		count = one < 0 || count < 0 ? -1 : count + one;
	}
	closedir(dir);
	return count;
}

int main(int argc, char **argv)
{
	int total = 0;
	for (int i = 1; i < argc; i++) {
		int count = run_folder(argv[i]);
		if (count < 0)
			return 1;
		total += count;
	}
	printf("%d inputs\n", total);
	return total ? 0 : 1;
}
