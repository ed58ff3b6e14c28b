#include "gpu/spin.h"

#define SPIN_NS (20 * BA_MS)
#define MOST_LAUNCHES 8192
#define MEDIAN_OF 65
#define WAITING_RATIO 10

/* the state of one probe */
typedef struct probe {
	ba_spinner *spinner;
	const ba_driver *drv;
	cu_function function;
	void **params;
	cu_stream stream;
	ba_now_fn *now;
	cu_event spun; /* happens when the spin has ended */
} probe;

static int64_t median(const int64_t *x, size_t n)
{
	int64_t sorted[MEDIAN_OF];
	/* cppcheck-suppress uninitvar ; the caller has filled x[n] */
	memcpy(sorted, x, n * sizeof(x[0]));
	ba_sort_int64(sorted, n);
	return sorted[n / 2];
}

static int launch(const probe *p, int64_t *took_ns, ba_error *err)
{
	int64_t start = p->now();
	cu_result r =
		p->drv->launch_kernel(p->function, 1, 1, 1, 1, 1, 1, 0, p->stream, p->params, NULL);
	*took_ns = p->now() - start;
	return r ? ba_driver_fail(p->drv, err, r, "cuLaunchKernel") : 0;
}

static int start_spin(const probe *p, ba_error *err)
{
	int64_t ignored;
	BA_TRY(launch(p, &ignored, err)); /* the very first launch loads the kernel */
	BA_DRIVER_TRY(p->drv, err, "cuStreamSynchronize", stream_synchronize(p->stream));
	BA_TRY(ba_spinner_launch(p->spinner, p->stream, SPIN_NS, err));
	BA_DRIVER_TRY(p->drv, err, "cuEventRecord", event_record(p->spun, p->stream));
	return 0;
}

/* launches until the spin has ended, or until the limit is reached */
static int fill(ba_queue *out, const probe *p, ba_error *err)
{
	ba_queue q = {.at_least = true};
	int64_t first[MEDIAN_OF];
	int64_t took = 0;
	bool ended = false;
	while (q.depth < MOST_LAUNCHES) {
		BA_TRY(launch(p, &took, err));
		ended = p->drv->event_query(p->spun) == 0;
		if (ended)
			break;
		if (q.depth < MEDIAN_OF)
			first[q.depth] = took;
		q.depth++;
	}
	size_t n = q.depth < MEDIAN_OF ? q.depth : MEDIAN_OF;
	int64_t usual = n ? median(first, n) : 0;
	q.launch_ns = (double)usual;
	if (ended && took > WAITING_RATIO * usual) {
		q.at_least = false;
		q.blocked_ns = (double)took;
	}
	*out = q;
	return 0;
}

int ba_queue_probe(ba_queue *out, ba_spinner *s, cu_function function, void **params,
	cu_stream stream, ba_now_fn *now, ba_error *err)
{
	probe p = {s, s->drv, function, params, stream, now, NULL};
	BA_DRIVER_TRY(
		p.drv, err, "cuEventCreate", event_create(&p.spun, BA_CU_EVENT_DISABLE_TIMING));
	ba_queue q = {0};
	int rc = start_spin(&p, err);
	rc = rc ? rc : fill(&q, &p, err);
	cu_result r = p.drv->stream_synchronize(stream);
	if (r && rc == 0)
		rc = ba_driver_fail(p.drv, err, r, "cuStreamSynchronize");
	p.drv->event_destroy(p.spun);
	if (rc < 0)
		return ba_fail_context(err, "probing the launch queue");
	*out = q;
	return 0;
}
