/* The reader of Criterion's directories: one sample.json of any bytes. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/base.h"
#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *dir, *sample;

static void remove_dir(void)
{
	ba_fs_remove_tree(dir, NULL);
	free(dir);
	free(sample);
}

static void make_dir(void)
{
	static const char id[] = "{\"full_id\": \"a/b\"}";
	char template[] = "/tmp/fuzz_criterion_XXXXXX";
	dir = ba_xstrdup(mkdtemp(template));
	BA_AUTO_FREE char *new = ba_path_join(dir, "a/new");
	BA_AUTO_FREE char *benchmark = ba_path_join(new, "benchmark.json");
	sample = ba_path_join(new, "sample.json");
	if (ba_fs_mkdirs(new, NULL) || ba_fs_write(benchmark, id, sizeof(id) - 1, 0600, NULL))
		abort();
	atexit(remove_dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ba_sink sink = {0};
	ba_error err = {0};
	if (!dir)
		make_dir();
	if (ba_fs_write(sample, data, size, 0600, NULL))
		abort();
	if (ba_import_read(NULL, dir, NULL, &sink, &err) && !*err.text)
		abort();
	return 0;
}
