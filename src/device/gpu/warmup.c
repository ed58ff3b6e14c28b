#include "gpu/warmup.h"

#define ROUND_NS (20 * BA_MS)
#define STEADY_RATIO 0.01
#define STEADY_ROUNDS 3

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
