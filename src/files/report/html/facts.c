/* What the page says about the system under test: one row for each known fact. */

#include "report/html/page.h"

typedef enum kind {
	TEXT,	 /* char * */
	INTEGER, /* int */
	COUNT,	 /* unsigned */
	BYTES,	 /* int64_t */
	REAL,	 /* double */
} kind;

typedef struct fact {
	const char *name;
	size_t offset; /* in ba_environment */
	kind kind;
	/* true of GPUs only: the driver of the host target makes these values up */
	bool of_gpu;
	double least;	  /* smaller numbers mean "unknown" */
	double divide_by; /* 0: 1 */
	const char *unit;
} fact;

#define FACT(name, member, ...)                                     \
	{                                                           \
		name, offsetof(ba_environment, member), __VA_ARGS__ \
	}
#define GPU true
#define HOST false
#define SOME 1e-300 /* above zero */

static const fact facts[] = {
	FACT("target", target, TEXT, HOST),
	FACT("device", device_name, TEXT, GPU),
	FACT("UUID", device_uuid, TEXT, GPU),
	FACT("compute capability", compute_capability, TEXT, GPU),
	FACT("driver", driver_version, TEXT, GPU),
	FACT("CUDA", cuda_version, TEXT, GPU),
	FACT("PCI address", pci_bus_id, TEXT, GPU),
	FACT("ECC", ecc, TEXT, GPU),
	FACT("MIG", mig, TEXT, GPU),
	FACT("virtualization", virtualization, TEXT, GPU),
	FACT("multiprocessors", sm_count, INTEGER, GPU, 1),
	FACT("GPU memory", memory_bytes, BYTES, GPU, 1, 1 << 30, " GiB"),
	FACT("SM clock", sm_clock_mhz, INTEGER, GPU, 1, 1, " MHz"),
	FACT("memory clock", memory_clock_mhz, INTEGER, GPU, 1, 1, " MHz"),
	FACT("power", power_watts, REAL, GPU, SOME, 1, " W"),
	FACT("power limit", power_limit_watts, REAL, GPU, SOME, 1, " W"),
	FACT("temperature", temperature_c, INTEGER, GPU, 1, 1, " °C"),
	FACT("other processes on the GPU", other_processes, INTEGER, GPU, 1),
	FACT("host", host_name, TEXT, HOST),
	FACT("CPU", cpu_model, TEXT, HOST),
	FACT("CPUs", cpus, INTEGER, HOST, 1),
	FACT("pinned to CPU", pinned_cpu, INTEGER, HOST),
	FACT("load average at the start", load_average, REAL, HOST, SOME),
	FACT("kernel", kernel, TEXT, HOST),
	FACT("CPU frequency governor", governor, TEXT, HOST),
	FACT("clock source", clocksource, TEXT, HOST),
	FACT("cost of a clock read", timer_read_ns, REAL, HOST, SOME, 1, " ns"),
	FACT("resolution of the clock", timer_tick_ns, REAL, HOST, SOME, 1, " ns"),
	FACT("queue depth", queue_depth, COUNT, GPU, 1, 1, " launches"),
	FACT("resolution of event times", event_tick_ns, REAL, GPU, SOME, 1, " ns"),
	FACT("time between two adjacent events", event_pair_ns, REAL, GPU, SOME, 1, " ns"),
	FACT("L2 cache", l2_bytes, BYTES, GPU, 1, 1 << 20, " MiB"),
	FACT("L2 flushed by", flush, TEXT, GPU),
	FACT("copy ceiling", copy_gb_per_s, REAL, GPU, SOME, 1, " GB/s"),
	FACT("matrix ceiling", matrix_gflop_per_s, REAL, GPU, SOME, 1, " GFLOP/s"),
};

static double number_at(const void *at, kind k)
{
	switch (k) {
	case INTEGER:
		return *(const int *)at;
	case COUNT:
		return *(const unsigned *)at;
	case BYTES:
		return (double)*(const int64_t *)at;
	default:
		return *(const double *)at;
	}
}

void ba_html_environment(ba_buf *out, const ba_environment *e)
{
	bool host = ba_environment_is_host(e);
	BA_EACH (const fact, f, facts, BA_COUNT(facts)) {
		const void *at = (const char *)e + f->offset;
		if (host && f->of_gpu)
			continue;
		if (f->kind == TEXT) {
			ba_html_fact(out, f->name, *(char *const *)at);
			continue;
		}
		double x = number_at(at, f->kind);
		if (!(x >= f->least))
			continue;
		x = f->divide_by > 0 ? x / f->divide_by : x;
		int decimals = floor(x) < x ? ba_number_decimals(x, NAN) : 0;
		BA_AUTO_FREE char *text = ba_xprintf("%.*f%s", decimals, x, f->unit ? f->unit : "");
		ba_html_fact(out, f->name, text);
	}
}
