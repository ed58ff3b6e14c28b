#include "worker/sampler.h"

#include "core/interleave.h"

static int64_t now(const ba_sampler *s)
{
	return __builtin_expect(s->clock != NULL, 0) ? s->clock() : ba_now_ns();
}

/* Each loop is a function of its own, never inlined, so that all participants run
 * through the same instructions at the same addresses. */
static __attribute__((noinline)) int launches_of_variant(
	const ba_sampler *s, const ba_participant *p, unsigned first, unsigned n)
{
	int (*launch)(ba_launcher_kernel *, const ba_launcher_config *, void **) = p->launch;
	ba_launcher_kernel *kernel = p->kernel;
	for (unsigned i = first; i != first + n; i++) {
		int rc = launch(kernel, &s->config, s->ring[i & s->mask]);
		if (__builtin_expect(rc != 0, 0))
			return rc;
	}
	return 0;
}

static __attribute__((noinline)) int launches_of_driver(
	const ba_sampler *s, const ba_participant *p, unsigned first, unsigned n)
{
	const ba_launcher_config *c = &s->config;
	for (unsigned i = first; i != first + n; i++) {
		int rc = s->driver->launch_kernel(p->function, c->grid.x, c->grid.y, c->grid.z,
			c->block.x, c->block.y, c->block.z, c->shared_bytes, (cu_stream)c->stream,
			s->ring[i & s->mask], NULL);
		if (__builtin_expect(rc != 0, 0))
			return rc;
	}
	return 0;
}

static int launches(const ba_sampler *s, const ba_participant *p, unsigned first, unsigned n)
{
	return p->kernel ? launches_of_variant(s, p, first, n) : launches_of_driver(s, p, first, n);
}

static int submit(uint64_t *ns, const ba_sampler *s, const ba_participant *p, unsigned batch,
	unsigned readings, ba_fault *fault)
{
	int64_t start = now(s);
	for (unsigned i = 0; i < readings && fault->launch_rc == 0; i++) {
		fault->launch_rc = launches(s, p, i * batch, batch);
		int64_t end = now(s);
		ns[i] = ba_reading_ns(start, end);
		start = end;
	}
	/* drained off the clock, also after an error: its launches must not outlive it
	 */
	fault->driver_rc = s->driver->stream_synchronize((cu_stream)s->config.stream);
	return fault->launch_rc || fault->driver_rc ? -1 : 0;
}

static int sustained(uint64_t *ns, const ba_sampler *s, const ba_participant *p, unsigned batch,
	unsigned readings, ba_fault *fault)
{
	for (unsigned i = 0; i < readings; i++) {
		int64_t start = now(s);
		fault->launch_rc = launches(s, p, i * batch, batch);
		fault->driver_rc = s->driver->stream_synchronize((cu_stream)s->config.stream);
		ns[i] = ba_reading_ns(start, now(s));
		if (fault->launch_rc || fault->driver_rc)
			return -1;
	}
	return 0;
}

static int roundtrips(uint64_t *ns, const ba_sampler *s, const ba_participant *p, unsigned batch,
	unsigned readings, ba_fault *fault)
{
	for (unsigned i = 0; i < readings; i++) {
		int64_t start = now(s);
		for (unsigned k = 0; k < batch; k++) {
			fault->launch_rc = launches(s, p, i * batch + k, 1);
			fault->driver_rc =
				s->driver->stream_synchronize((cu_stream)s->config.stream);
			if (fault->launch_rc || fault->driver_rc)
				return -1;
		}
		ns[i] = ba_reading_ns(start, now(s));
	}
	return 0;
}

const char *const ba_mode_names[] = {[BA_MODE_SUBMIT] = "submit",
	[BA_MODE_SUSTAINED] = "sustained",
	[BA_MODE_ROUNDTRIP] = "roundtrip",
	NULL};

static int (*const modes[])(
	uint64_t *, const ba_sampler *, const ba_participant *, unsigned, unsigned, ba_fault *) = {
	[BA_MODE_SUBMIT] = submit,
	[BA_MODE_SUSTAINED] = sustained,
	[BA_MODE_ROUNDTRIP] = roundtrips,
};

int ba_sampler_burst(uint64_t *ns, const ba_sampler *s, const ba_participant *p, ba_mode mode,
	unsigned batch, unsigned readings, ba_fault *fault)
{
	*fault = (ba_fault){0};
	if (modes[mode](ns, s, p, batch, readings, fault))
		return -1;
	cu_context current = NULL;
	fault->driver_rc = s->driver->ctx_get_current(&current);
	fault->context_changed = current != s->context;
	return fault->driver_rc || fault->context_changed ? -1 : 0;
}

int ba_sampler_visit(uint64_t *ns, const ba_sampler *s, const ba_participant *p, ba_mode mode,
	unsigned batch, unsigned readings, unsigned discard, ba_fault *fault)
{
	uint64_t ignored;
	s->beacon->variant = p->variant;
	s->beacon->progress++;
	if (discard && ba_sampler_burst(&ignored, s, p, mode, discard, 1, fault))
		return -1;
	if (ba_sampler_burst(ns, s, p, mode, batch, readings, fault))
		return -1;
	s->beacon->variant = BA_BEACON_NOBODY;
	return 0;
}
