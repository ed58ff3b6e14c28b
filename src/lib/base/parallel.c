#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct job {
	const ba_parallel *p;
	atomic_size_t next;
	atomic_bool failed;
	/* result and error of the thread that set `failed` */
	int rc;
	ba_error err;
} job;

typedef struct worker {
	job *job;
	unsigned number;
	pthread_t thread;
} worker;

static int do_chunk(const ba_parallel *p, unsigned thread, size_t from, ba_error *err)
{
	if (p->stopped && p->stopped(p->stopped_data))
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	for (size_t i = from; i < p->count && i < from + p->chunk; i++)
		BA_TRY(p->work(p->data, thread, i, err));
	return 0;
}

static void *run(void *data)
{
	worker *self = data;
	job *j = self->job;
	ba_error err = {0};
	int rc = 0;
	while (rc == 0 && !atomic_load(&j->failed)) {
		size_t from = atomic_fetch_add(&j->next, j->p->chunk);
		if (from >= j->p->count)
			break;
		rc = do_chunk(j->p, self->number, from, &err);
	}
	if (rc && !atomic_exchange(&j->failed, true)) {
		j->rc = rc;
		j->err = err;
	}
	return NULL;
}

int ba_parallel_run(const ba_parallel *p, ba_error *err)
{
	job j = {.p = p};
	worker workers[BA_PARALLEL_MOST];
	unsigned started = 1;
	for (unsigned i = 0; i < BA_PARALLEL_MOST; i++)
		workers[i] = (worker){.job = &j, .number = i};
	while (started < p->threads &&
		pthread_create(&workers[started].thread, NULL, run, &workers[started]) == 0)
		started++;
	run(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	if (j.rc && err)
		*err = j.err;
	return j.rc;
}

unsigned ba_parallel_threads(size_t count, size_t share, unsigned most)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = cores > 1 ? (size_t)cores : 1;
	n = n < most ? n : most;
	n = count / share < n ? count / share : n;
	return n ? (unsigned)n : 1;
}
