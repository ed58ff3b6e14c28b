#include "cluster/slurm_array.h"

#include "cluster/exchange.h"

int ba_slurm_record_write(const char *exchange, const ba_slurm_array *a, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(exchange, "array");
	BA_AUTO_FREE char *text =
		ba_xprintf("%s %zu %s", a->job, a->count, a->cluster ? a->cluster : "");
	return ba_fs_write_atomic(path, text, strlen(text), err);
}

bool ba_slurm_record_read(ba_slurm_array *out, const char *exchange)
{
	BA_AUTO_FREE char *path = ba_path_join(exchange, "array");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv words = {0};
	uint64_t count = 0;
	if (ba_exchange_check(exchange, NULL) || ba_fs_read(&text, path, 4096, NULL))
		return false;
	ba_strv_split(&words, text.data, ' ');
	if (words.count != 3 || !ba_slurm_is_job(words.items[0]) ||
		ba_parse_u64(&count, words.items[1], 1, BA_SLURM_TASKS_MOST, "", NULL))
		return false;
	ba_slurm_array_again(
		out, words.items[0], *words.items[2] ? words.items[2] : NULL, (size_t)count);
	return true;
}
