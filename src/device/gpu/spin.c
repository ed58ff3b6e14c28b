#include "gpu/spin.h"

#define ROUND_NS (20 * BA_MS)
#define STEADY_RATIO 0.01
#define STEADY_ROUNDS 3

enum { START_NS, END_NS, START_CYCLES, END_CYCLES, CHANGES, TICK, REPORT_WORDS };

int ba_spinner_open(ba_spinner *out, const ba_driver *drv, ba_error *err)
{
	BA_AUTO(ba_spinner) ba_spinner s = {.drv = drv};
	int rc = ba_module_load(&s.module, drv, ba_kernel_spin, err);
	rc = rc ? rc : ba_module_function(&s.function, &s.module, "ba_spin", err);
	if (rc < 0)
		return ba_fail_context(err, "spin kernel");
	void *memory;
	BA_DRIVER_TRY(drv, err, "cuMemHostAlloc",
		mem_host_alloc(
			&memory, REPORT_WORDS * sizeof(uint64_t), BA_CU_MEMHOSTALLOC_DEVICEMAP));
	s.report = memory;
	BA_DRIVER_TRY(drv, err, "cuMemHostGetDevicePointer",
		mem_host_get_device_pointer(&s.address, memory, 0));
	*out = BA_MOVE(s);
	return 0;
}

void ba_spinner_close(ba_spinner *s)
{
	if (s->report)
		s->drv->mem_free_host(s->report);
	ba_module_dispose(&s->module);
	*s = (ba_spinner){0};
}

cu_result ba_spinner_submit(ba_spinner *s, cu_stream stream, uint64_t ns)
{
	/* no clock exceeds 4 GHz: this ends the loop if %globaltimer stands still */
	uint64_t most_cycles = ns * 8 + 1000000;
	void *params[] = {&ns, &most_cycles, &s->address};
	memset(s->report, 0, REPORT_WORDS * sizeof(uint64_t));
	return s->drv->launch_kernel(s->function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

int ba_spinner_launch(ba_spinner *s, cu_stream stream, uint64_t ns, ba_error *err)
{
	cu_result r = ba_spinner_submit(s, stream, ns);
	return r ? ba_driver_fail(s->drv, err, r, "cuLaunchKernel") : 0;
}

ba_spin_reading ba_spinner_read(const ba_spinner *s)
{
	const uint64_t *w = s->report;
	ba_spin_reading reading = {
		.start_ns = w[START_NS],
		.end_ns = w[END_NS],
		.cycles = w[END_CYCLES] - w[START_CYCLES],
		.changes = w[CHANGES],
		.tick_ns = w[CHANGES] ? w[TICK] : 0,
	};
	if (w[END_NS] > w[START_NS])
		reading.mhz = (double)reading.cycles * 1e3 / (double)(w[END_NS] - w[START_NS]);
	return reading;
}

int ba_spinner_run(
	ba_spin_reading *out, ba_spinner *s, cu_stream stream, uint64_t ns, ba_error *err)
{
	BA_TRY(ba_spinner_launch(s, stream, ns, err));
	BA_DRIVER_TRY(s->drv, err, "cuStreamSynchronize", stream_synchronize(stream));
	*out = ba_spinner_read(s);
	return 0;
}

int ba_warmup_run(ba_warmup *out, ba_spinner *s, cu_stream stream, ba_now_fn *now, ba_error *err)
{
	ba_warmup w = {0};
	unsigned calm = 0;
	int64_t start = now();
	do {
		ba_spin_reading reading;
		int rc = ba_spinner_run(&reading, s, stream, ROUND_NS, err);
		if (rc < 0)
			return ba_fail_context(err, "warm-up");
		if (!(reading.mhz > 0))
			return ba_fail(err, BA_ESIMULATED,
				"warm-up: the GPU's %%globaltimer stood still while a kernel ran; this is not a real GPU, or its driver is broken");
		bool same = w.rounds && fabs(reading.mhz / w.mhz - 1) < STEADY_RATIO;
		calm = same ? calm + 1 : 0;
		if (!w.rounds)
			w.first_mhz = reading.mhz;
		w.mhz = reading.mhz;
		w.gpu_tick_ns = reading.tick_ns;
		w.rounds++;
		w.wall_ns = now() - start;
		w.steady = calm >= STEADY_ROUNDS;
	} while (w.wall_ns < BA_WARMUP_LEAST_NS || (!w.steady && w.wall_ns < BA_WARMUP_MOST_NS));
	*out = w;
	return 0;
}

/* ---- the clock of the host ---- */

#define TIMER_ROUNDS 101
#define TIMER_READS 100

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The step of a clock divides all differences. The smallest difference would be the
 * cost of a read if that is longer than a step. */
ba_timer ba_timer_measure(ba_now_fn *now)
{
	int64_t rounds[TIMER_ROUNDS];
	int64_t tick = 0;
	for (int i = 0; i < TIMER_ROUNDS; i++) {
		int64_t start = now();
		int64_t last = start;
		for (int k = 0; k < TIMER_READS; k++) {
			int64_t t = now();
			tick = common_divisor(t - last, tick);
			last = t;
		}
		rounds[i] = last - start;
	}
	ba_sort_int64(rounds, TIMER_ROUNDS);
	int64_t median = rounds[TIMER_ROUNDS / 2];
	return (ba_timer){.read_ns = (double)median / TIMER_READS, .tick_ns = (double)tick};
}
