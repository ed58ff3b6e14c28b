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

/* A spin ends within microseconds of its end_ns, so the ends of the first and the last
 * spin show how fast the GPU's timer runs compared with the host's. */
static int measure_clocks(
	ba_probe *p, const ba_driver *drv, cu_stream stream, ba_now_fn *now, ba_error *err)
{
	BA_AUTO(ba_spinner) ba_spinner spinner = {0};
	ba_spin_reading first = {0}, last = {0};
	BA_TRY(ba_spinner_open(&spinner, drv, err));
	BA_TRY(ba_spinner_run(&first, &spinner, stream, SPIN_NS, err));
	int64_t start = now(), end;
	do {
		BA_TRY(ba_spinner_run(&last, &spinner, stream, SPIN_NS, err));
		end = now();
	} while (end - start < SPAN_NS && last.mhz > 0);
	p->mhz = last.mhz;
	p->timer_ratio = (double)(last.end_ns - first.end_ns) / (double)(end - start);
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
