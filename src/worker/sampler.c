#include "worker/sampler.h"

#include "base/clock.h"

int64_t ba_sampler_now(const ba_sampler *s)
{
	return __builtin_expect(s->clock != NULL, 0) ? s->clock() : ba_now_ns();
}

/* Each loop is a function of its own, never inlined, so that all participants run
 * through the same instructions at the same addresses. */
static __attribute__((noinline)) int launches_of_variant(
	const ba_sampler *s, const ba_participant *p, unsigned n)
{
	int (*launch)(ba_launcher_kernel *, const ba_launcher_config *, void **) =
		p->launch;
	ba_launcher_kernel *kernel = p->kernel;
	for (unsigned i = 0; i < n; i++) {
		int rc = launch(kernel, &s->config, s->args);
		if (__builtin_expect(rc != 0, 0))
			return rc;
	}
	return 0;
}

static __attribute__((noinline)) int launches_of_driver(
	const ba_sampler *s, const ba_participant *p, unsigned n)
{
	const ba_launcher_config *c = &s->config;
	for (unsigned i = 0; i < n; i++) {
		int rc = s->driver->launch_kernel(p->function, c->grid.x, c->grid.y,
			c->grid.z, c->block.x, c->block.y, c->block.z, c->shared_bytes,
			(cu_stream)c->stream, s->args, NULL);
		if (__builtin_expect(rc != 0, 0))
			return rc;
	}
	return 0;
}

static int launches(const ba_sampler *s, const ba_participant *p, unsigned n)
{
	return p->kernel ? launches_of_variant(s, p, n) : launches_of_driver(s, p, n);
}

static int roundtrips(
	const ba_sampler *s, const ba_participant *p, unsigned n, ba_fault *fault)
{
	for (unsigned i = 0; i < n; i++) {
		fault->launch_rc = launches(s, p, 1);
		if (fault->launch_rc)
			return -1;
		fault->driver_rc =
			s->driver->stream_synchronize((cu_stream)s->config.stream);
		if (fault->driver_rc)
			return -1;
	}
	return 0;
}

int ba_sampler_burst(uint64_t *ns, const ba_sampler *s, const ba_participant *p,
	ba_mode mode, unsigned n, ba_fault *fault)
{
	cu_stream stream = (cu_stream)s->config.stream;
	*fault = (ba_fault){0};
	int64_t start = ba_sampler_now(s), end = start;
	if (mode == BA_MODE_ROUNDTRIP) {
		if (roundtrips(s, p, n, fault))
			return -1;
		end = ba_sampler_now(s);
	} else {
		fault->launch_rc = launches(s, p, n);
		if (mode == BA_MODE_SUBMIT)
			end = ba_sampler_now(s);
		/* drains the queue: off the clock for submit, on it for sustained */
		fault->driver_rc = s->driver->stream_synchronize(stream);
		if (mode == BA_MODE_SUSTAINED)
			end = ba_sampler_now(s);
		if (fault->launch_rc || fault->driver_rc)
			return -1;
	}
	/* a clock that did not move counts as one nanosecond: logarithms follow */
	*ns = end > start ? (uint64_t)(end - start) : 1;
	cu_context current = NULL;
	fault->driver_rc = s->driver->ctx_get_current(&current);
	fault->context_changed = current != s->context;
	return fault->driver_rc || fault->context_changed ? -1 : 0;
}

int ba_sampler_visit(uint64_t *ns, const ba_sampler *s, const ba_participant *p,
	ba_mode mode, unsigned batch, unsigned readings, unsigned discard,
	ba_fault *fault)
{
	uint64_t ignored;
	s->beacon->variant = p->variant;
	s->beacon->progress++;
	if (discard && ba_sampler_burst(&ignored, s, p, mode, discard, fault))
		return -1;
	for (unsigned i = 0; i < readings; i++)
		if (ba_sampler_burst(&ns[i], s, p, mode, batch, fault))
			return -1;
	s->beacon->variant = BA_BEACON_NOBODY;
	return 0;
}
