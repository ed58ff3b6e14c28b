#include "worker/launches.h"

#define LATE_ROUNDS 20
#define LATE_NS 1000000

void ba_launches_make_ring(ba_case *c)
{
	size_t bytes = ba_ptx_offset(c->layout, c->param_count, c->param_count);
	size_t stride = (bytes + 15) & ~(size_t)7; /* never nothing */
	size_t pointers = c->param_count + 1;
	c->ring_count = ba_witness_ring(stride + pointers * sizeof(void *));
	c->ring_values = ba_xcalloc(c->ring_count, stride);
	c->ring_args = ba_xcalloc(c->ring_count * pointers, sizeof(*c->ring_args));
	for (unsigned v = 0; v < c->ring_count; v++) {
		unsigned char *values = c->ring_values + v * stride;
		c->ring[v] = c->ring_args + v * pointers;
		memcpy(values, c->values, bytes);
		for (unsigned i = 0; i < c->param_count; i++)
			c->ring[v][i] = values + ba_ptx_offset(c->layout, c->param_count, i);
	}
}

/* all have the same size */
static uint32_t param_bytes(const ba_case *c)
{
	return c->param_count ? c->params[0].size : 0;
}

static void draw_vector(ba_case *c, uint64_t seed, unsigned v)
{
	uint32_t bytes = param_bytes(c);
	unsigned word = 0;
	for (unsigned i = 0; i < c->param_count; i++)
		for (uint32_t at = 0; at < bytes; at += 8) {
			uint32_t left = bytes - at;
			uint64_t value = ba_witness_value(seed, v, word++, left);
			memcpy((char *)c->ring[v][i] + at, &value, left < 8 ? left : 8);
		}
}

/* Of a driver of our own: it counts, and it reads arguments only while they are ours. */
static void set_hook(ba_worker *w, const ba_host_witness *what)
{
	if (w->witness)
		w->witness((uint64_t *)(uintptr_t)&w->beacon->witness, what);
}

/* Says which launch is looked at whole. */
static int set_moment(const ba_launches *l, ba_worker *w, ba_error *err)
{
	const ba_host_witness what = {w->now.param_count, param_bytes(&w->now), l->moment};
	set_hook(w, &what);
	if (w->witness)
		return 0;
	cu_result r = w->driver.memcpy_htod(
		w->report + offsetof(ba_ptx_record, moment), &l->moment, sizeof(l->moment));
	return r ? ba_driver_fail(&w->driver, err, r, "cuMemcpyHtoD") : 0;
}

static int look(ba_witness *out, const ba_worker *w, ba_error *err)
{
	if (w->witness) {
		*out = (ba_witness){w->beacon->witness.launches, w->beacon->witness.sum,
			w->beacon->witness.whole};
		return 0;
	}
	cu_result r = w->driver.memcpy_dtoh(
		out, w->report + offsetof(ba_ptx_record, witness), sizeof(*out));
	return r ? ba_driver_fail(&w->driver, err, r, "cuMemcpyDtoH") : 0;
}

int ba_launches_begin(ba_launches *l, ba_worker *w, uint64_t seed, uint64_t discard,
	uint64_t launches, ba_error *err)
{
	bool known = w->witness_known;
	for (unsigned v = 0; v < w->now.ring_count; v++)
		draw_vector(&w->now, seed, v);
	l->seed = seed;
	w->witness_known = false;
	int rc = look(&l->before, w, err);
	if (rc == 0 && known && l->before.launches != w->witnessed.launches)
		rc = ba_fail(err, BA_EVARIANT,
			"%" PRIu64 " launches arrived that nobody had asked for",
			l->before.launches - w->witnessed.launches);
	l->want = l->before;
	l->moment = l->before.launches + discard + ba_witness_moment(seed, launches);
	return rc ? rc : set_moment(l, w, err);
}

void ba_launches_expect(ba_launches *l, const ba_worker *w, uint64_t launches)
{
	const ba_witness_burst burst = {l->seed, w->now.ring_count, w->now.param_count,
		param_bytes(&w->now), launches, l->moment - l->want.launches};
	ba_witness_add(&l->want, &burst);
}

/* How many more arrive in a moment: somebody else makes them. */
static uint64_t wait_for_late(ba_worker *w, uint64_t missing, const ba_witness *seen)
{
	ba_witness now = *seen;
	for (int i = 0; i < LATE_ROUNDS && now.launches - seen->launches < missing; i++) {
		nanosleep(&(struct timespec){.tv_nsec = LATE_NS}, NULL);
		w->driver.ctx_synchronize();
		if (look(&now, w, NULL))
			return 0;
	}
	return now.launches - seen->launches;
}

int ba_launches_check(ba_launches *l, ba_worker *w, ba_error *err)
{
	ba_witness seen;
	int rc = look(&seen, w, err);
	set_hook(w, NULL);
	if (rc)
		return rc;
	w->witnessed = seen;
	w->witness_known = true;
	rc = ba_witness_check(&l->before, &l->want, &seen, err);
	uint64_t missing = l->want.launches - seen.launches;
	if (rc == 0 || missing == 0 || missing > UINT64_MAX / 2)
		return rc;
	uint64_t late = wait_for_late(w, missing, &seen);
	if (late == 0)
		return rc;
	BA_AUTO_FREE char *text = ba_xstrdup(err->text);
	return ba_fail(err, BA_EVARIANT, "%s, and %" PRIu64 " more when it had ended", text, late);
}

int ba_launches_arrived(uint64_t *out, const ba_worker *w, ba_error *err)
{
	ba_witness seen = {0};
	int rc = look(&seen, w, err);
	*out = seen.launches;
	return rc;
}

void ba_launches_ignore(ba_worker *w)
{
	set_hook(w, NULL);
	w->witness_known = false;
}
