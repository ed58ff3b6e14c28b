/* watch SPEC OUTPUT_DIR SECONDS COMMAND [CANCEL_AT]: submits the array, writes a line for each
 * task whenever what is said of it changes, and ends when all have ended (0) or the time is over
 * (3). With CANCEL_AT it cancels the array when that many tasks have ended. An error of a poll is
 * written, and the next poll follows. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cluster/slurm_array.h"

static size_t report(const ba_slurm_array *a, char **said)
{
	size_t ended = 0;
	for (size_t i = 0; i < a->count; i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_slurm_task_text(&text, &a->tasks[i]);
		ended += ba_slurm_task_ended(&a->tasks[i]);
		if (said[i] && strcmp(said[i], text.data) == 0)
			continue;
		ba_text_replace(&said[i], text.data);
		printf("%zu %s\n", i, text.data);
	}
	fflush(stdout);
	return ended;
}

static int watch(ba_slurm_array *a, const char *seconds, const char *cancel_at)
{
	int64_t end = ba_now_ns() + strtoll(seconds, NULL, 10) * BA_SECOND;
	char **said = ba_xcalloc(a->count, sizeof(*said));
	bool cancelled = false;
	size_t ended = 0;
	ba_error err;
	while (ended < a->count && ba_now_ns() < end) {
		if (ba_slurm_poll(a, -1, &err))
			printf("error %s\n", err.text);
		ended = report(a, said);
		if (cancel_at && !cancelled && ended >= strtoull(cancel_at, NULL, 10)) {
			cancelled = true;
			if (ba_slurm_cancel(a, &err))
				printf("error %s\n", err.text);
		}
		nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
	}
	for (size_t i = 0; i < a->count; i++)
		free(said[i]);
	free(said);
	return ended < a->count ? 3 : 0;
}

int main(int argc, char **argv)
{
	BA_AUTO(ba_slurm_spec) ba_slurm_spec spec = {0};
	BA_AUTO(ba_slurm_array) ba_slurm_array a = {0};
	ba_error err = {0};
	if (argc < 5)
		return 2;
	int rc = ba_slurm_spec_parse(&spec, "--on", argv[1], &err);
	rc = rc ? rc
		: ba_slurm_submit(&a, &spec,
			  &(ba_slurm_job){.command = argv[4], .output_dir = argv[2]}, &err);
	if (rc) {
		printf("error %s\n", err.text);
		return 1;
	}
	printf("job %s\n", a.job);
	return watch(&a, argv[3], argc > 5 ? argv[5] : NULL);
}
