#include "gpu/trust.h"

#include "gpu/ptxgen.h"
#include "gpu/spin.h"

#define WARM_LAUNCHES 200
#define ROUNDTRIPS 201
#define SPIN_NS (10 * BA_MS)
#define SPAN_NS (120 * BA_MS)

static int measure_roundtrip(double *out, const ba_driver *drv, cu_function function,
	cu_stream stream, ba_now_fn *now, ba_error *err)
{
	int64_t took[ROUNDTRIPS];
	for (int i = -WARM_LAUNCHES; i < ROUNDTRIPS; i++) {
		int64_t start = now();
		BA_DRIVER_TRY(drv, err, "cuLaunchKernel",
			launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
		BA_DRIVER_TRY(drv, err, "cuStreamSynchronize", stream_synchronize(stream));
		if (i >= 0)
			took[i] = now() - start;
	}
	ba_sort_int64(took, ROUNDTRIPS);
	int64_t median = took[ROUNDTRIPS / 2];
	*out = (double)median;
	return 0;
}

/* The end of a spin, by both clocks. */
typedef struct sighting {
	int64_t host, gpu;
} sighting;

/* On a busy machine this process sees some ends late, but none early. */
static void keep_soonest(sighting *best, sighting s)
{
	if (best->host == 0 || s.host - s.gpu < best->host - best->gpu)
		*best = s;
}

/* A spin ends within microseconds of its end_ns, so the ends of an early and of a late
 * spin show how fast the GPU's timer runs compared with the host's. */
static int measure_clocks(
	ba_probe *p, const ba_driver *drv, cu_stream stream, ba_now_fn *now, ba_error *err)
{
	BA_AUTO(ba_spinner) ba_spinner spinner = {0};
	ba_spin_reading spin = {0};
	sighting early = {0}, late = {0};
	BA_TRY(ba_spinner_open(&spinner, drv, err));
	BA_TRY(ba_spinner_run(&spin, &spinner, stream, SPIN_NS, err));
	int64_t start = now(), passed;
	do {
		BA_TRY(ba_spinner_run(&spin, &spinner, stream, SPIN_NS, err));
		sighting s = {.host = now(), .gpu = (int64_t)spin.end_ns};
		passed = s.host - start;
		if (passed <= SPAN_NS / 3 || early.host == 0)
			keep_soonest(&early, s);
		else if (passed >= SPAN_NS * 2 / 3)
			keep_soonest(&late, s);
	} while ((passed < SPAN_NS || late.host == 0) && spin.mhz > 0);
	p->mhz = spin.mhz;
	p->timer_ratio = (double)(late.gpu - early.gpu) / (double)(late.host - early.host);
	return 0;
}

int ba_probe_run(ba_probe *out, const ba_driver *drv, ba_now_fn *now, ba_error *err)
{
	ba_probe p = {0};
	BA_AUTO(ba_module) ba_module module = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	cu_function null_kernel = NULL;
	cu_stream stream;
	BA_TRY(ba_ptx_generate(&text, NULL, 0, 0, 0, err));
	BA_TRY(ba_module_load(&module, drv, text.data, err));
	BA_TRY(ba_module_function(&null_kernel, &module, BA_PTX_ENTRY_NULL, err));
	BA_DRIVER_TRY(
		drv, err, "cuStreamCreate", stream_create(&stream, BA_CU_STREAM_NON_BLOCKING));
	int rc = measure_clocks(&p, drv, stream, now, err);
	rc = rc ? rc : measure_roundtrip(&p.roundtrip_ns, drv, null_kernel, stream, now, err);
	drv->stream_destroy(stream);
	if (rc == 0)
		*out = p;
	return rc;
}
