/*
 * Everything of module gpu on a real GPU, with the figures: opening, trust and proof,
 * NVML, warm-up, queue depth, and the generated kernels for many parameter layouts.
 * Exit status: 0 all right, 1 something is not, 77 there is no GPU to try.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/nvml.h"
#include "gpu/ptxgen.h"
#include "gpu/spin.h"
#include "gpu/trust.h"

static int failures;

static const char *get_env(const char *name)
{
	return getenv(name);
}

static bool ok(int rc, const char *what, const ba_error *err)
{
	if (rc == 0)
		return true;
	printf("FAILED %s: %s\n", what, err->text);
	failures++;
	return false;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	printf("FAILED %s\n", what);
	failures++;
}

static void show_trust(void)
{
	static const char *const words[] = {"info", "warn", "REFUSE"};
	static ba_trust_inputs in;
	static ba_trust_findings found;
	ba_trust_sources src = {.getenv = get_env,
		.root = "",
		.probe = true,
		.seed = ba_rng_entropy(),
		.now = ba_now_ns};
	int64_t start = ba_now_ns();
	ba_trust_examine(&in, &src);
	ba_trust_judge(&found, &in);
	printf("trust: examined in %.0f ms; driver '%s', module version '%s', "
	       "/dev/nvidia %d\n",
		(double)(ba_now_ns() - start) / 1e6, in.driver_path, in.module_version,
		in.dev_nvidia);
	printf("trust: proof %zu threads, %zu wrong, %u multiprocessors (highest %u of "
	       "%d), "
	       "clocks %s\n",
		in.proof.threads, in.proof.wrong, in.proof.multiprocessors, in.proof.highest_sm,
		in.device.sm_count, in.proof.clocks_advance ? "advance" : "stand");
	printf("trust: roundtrip %.2f us, %.1f MHz, timer ratio %.6f\n",
		in.probe.roundtrip_ns / 1e3, in.probe.mhz, in.probe.timer_ratio);
	for (size_t i = 0; i < found.count; i++)
		printf("trust: %-6s %-18s %s. %s\n", words[found.items[i].severity],
			found.items[i].id, found.items[i].sentence, found.items[i].remedy);
	check(ba_trust_refusals(&found) == 0, "this GPU is refused");
	check(in.proof.ran && in.proof.wrong == 0, "execution proof");
}

static void show_nvml(const ba_device *dev)
{
	ba_error err = {0};
	BA_AUTO(ba_nvml) ba_nvml n = {0};
	int64_t start = ba_now_ns();
	if (!ok(ba_nvml_open(&n, dev->pci_bus_id, NULL, &err), "nvml", &err))
		return;
	int64_t opened = ba_now_ns();
	ba_nvml_state s = ba_nvml_read(&n);
	int64_t read = ba_now_ns();
	ba_nvml_counters c = ba_nvml_read_counters(&n);
	printf("nvml: open %.1f ms, read %.2f ms, counters %.3f ms\n",
		(double)(opened - start) / 1e6, (double)(read - opened) / 1e6,
		(double)(ba_now_ns() - read) / 1e6);
	printf("nvml: driver %s, CUDA %d, '%s', %s\n", s.driver_version, s.cuda_version, s.name,
		s.uuid);
	printf("nvml: SM %d of %d MHz, memory %d MHz, %.1f of %.1f W, %d C, busy "
	       "%d %%\n",
		s.sm_clock_mhz, s.sm_clock_max_mhz, s.memory_clock_mhz, s.power_watts,
		s.power_limit_watts, s.temperature_c, s.utilization_percent);
	printf("nvml: ECC %d, MIG %d, virtualization %d (%s), CC %d, persistence %d, "
	       "others %d, reasons 0x%" PRIx64 "\n",
		s.ecc, s.mig, s.virtualization, ba_nvml_virtualization_name(s.virtualization),
		s.conf_compute, s.persistence, s.other_processes, s.event_reasons);
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		if (c.known & 1u << i)
			printf("nvml: counter %u %s = %" PRIu64 "\n",
				ba_nvml_counter_infos[i].field, ba_nvml_counter_infos[i].name,
				c.ns[i]);
		else
			printf("nvml: counter %u %s is not available\n",
				ba_nvml_counter_infos[i].field, ba_nvml_counter_infos[i].name);
	check(!strcmp(s.uuid, dev->uuid), "NVML and the driver name the same UUID");
}

static void show_clocks(ba_spinner *s, cu_stream stream)
{
	ba_error err = {0};
	ba_warmup w;
	ba_timer t = ba_timer_measure(ba_now_ns);
	printf("timer: read %.1f ns, tick %.0f ns\n", t.read_ns, t.tick_ns);
	if (!ok(ba_warmup_run(&w, s, stream, ba_now_ns, &err), "warm-up", &err))
		return;
	printf("warm-up: %u rounds in %.0f ms, %.1f -> %.1f MHz, %s; globaltimer tick "
	       "%" PRIu64 " ns\n",
		w.rounds, (double)w.wall_ns / 1e6, w.first_mhz, w.mhz,
		w.steady ? "steady" : "not steady", w.gpu_tick_ns);
	check(w.steady, "the clock becomes steady");
	check(w.mhz > 300 && w.mhz < 4000, "the clock is plausible");
}

typedef struct kernels {
	ba_module module;
	cu_function null_kernel, check_kernel;
	cu_deviceptr record;
	size_t record_bytes;
} kernels;

static int load(
	kernels *k, const ba_driver *drv, const ba_ptx_param *params, size_t n, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	*k = (kernels){.record_bytes = ba_ptx_record_bytes(params, n)};
	cu_result r = drv->mem_alloc(&k->record, k->record_bytes);
	if (r)
		return ba_driver_fail(drv, err, r, "cuMemAlloc");
	int rc = ba_ptx_generate(&text, params, n, k->record, 0, err);
	if (rc == 0)
		rc = ba_module_load(&k->module, drv, text.data, err);
	if (rc == 0)
		rc = ba_module_function(&k->null_kernel, &k->module, BA_PTX_ENTRY_NULL, err);
	if (rc == 0)
		rc = ba_module_function(&k->check_kernel, &k->module, BA_PTX_ENTRY_CHECK, err);
	return rc;
}

static void unload(kernels *k, const ba_driver *drv)
{
	ba_module_dispose(&k->module);
	drv->mem_free(k->record);
}

static int fetch_record(void *out, const kernels *k, const ba_driver *drv, ba_error *err)
{
	cu_result r = drv->ctx_synchronize();
	if (r)
		return ba_driver_fail(drv, err, r, "cuCtxSynchronize");
	r = drv->memcpy_dtoh(out, k->record, k->record_bytes);
	return r ? ba_driver_fail(drv, err, r, "cuMemcpyDtoH") : 0;
}

/* launch ba_check in two shapes and compare what it wrote */
static int prove(const kernels *k, const ba_driver *drv, cu_stream stream,
	const ba_ptx_param *params, size_t n, void **args, ba_error *err)
{
	const ba_ptx_launch shapes[] = {
		{{1, 1, 1}, {1, 1, 1}, 0, 1},
		{{3, 2, 2}, {32, 4, 2}, 1024, 1},
	};
	BA_AUTO_FREE void *record = ba_xmalloc(k->record_bytes);
	for (size_t i = 0; i < 2; i++) {
		const ba_ptx_launch *s = &shapes[i];
		cu_result r = drv->memset_d8(k->record, 0, k->record_bytes);
		if (r == 0)
			r = drv->ctx_synchronize();
		if (r == 0)
			r = drv->launch_kernel(k->check_kernel, s->grid[0], s->grid[1], s->grid[2],
				s->block[0], s->block[1], s->block[2], s->shared_bytes, stream,
				args, NULL);
		if (r)
			return ba_driver_fail(drv, err, r, "cuLaunchKernel");
		int rc = fetch_record(record, k, drv, err);
		if (rc == 0)
			rc = ba_ptx_expect(record, params, n, args, s, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* bursts of 64 launches, drained off the clock */
static int time_null(const kernels *k, const ba_driver *drv, cu_stream stream, void **args,
	double *mean_ns, double *least_ns, ba_error *err)
{
	enum { BURST = 64, BURSTS = 300 };
	double sum = 0, least = 1e18;
	for (int b = -30; b < BURSTS; b++) {
		cu_result r = 0;
		int64_t start = ba_now_ns();
		for (int i = 0; i < BURST; i++)
			r |= drv->launch_kernel(
				k->null_kernel, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
		double ns = (double)(ba_now_ns() - start) / BURST;
		if (r)
			return ba_driver_fail(drv, err, r, "cuLaunchKernel");
		r = drv->stream_synchronize(stream);
		if (r)
			return ba_driver_fail(drv, err, r, "cuStreamSynchronize");
		if (b < 0)
			continue;
		sum += ns;
		least = ns < least ? ns : least;
	}
	*mean_ns = sum / BURSTS;
	*least_ns = least;
	return 0;
}

static void try_layout(const ba_driver *drv, cu_stream stream, const char *name,
	const ba_ptx_param *params, size_t n)
{
	ba_error err = {0};
	kernels k;
	uint64_t seed = ba_rng_entropy();
	size_t total = ba_ptx_offset(params, n, n) + 8;
	BA_AUTO_FREE unsigned char *values = ba_xmalloc(total);
	BA_AUTO_FREE void **args = ba_xcalloc(n + 1, sizeof(*args));
	for (size_t i = 0; i < total; i++)
		values[i] = (unsigned char)ba_splitmix64(&seed);
	for (size_t i = 0; i < n; i++)
		args[i] = values + ba_ptx_offset(params, n, i);
	double mean = 0, least = 0;
	int64_t start = ba_now_ns();
	int rc = load(&k, drv, params, n, &err);
	double load_ms = (double)(ba_now_ns() - start) / 1e6;
	if (rc == 0)
		rc = prove(&k, drv, stream, params, n, args, &err);
	if (rc == 0)
		rc = time_null(&k, drv, stream, args, &mean, &least, &err);
	unload(&k, drv);
	if (ok(rc, name, &err))
		printf("launch: %-22s load %7.2f ms, parameters right, submit mean "
		       "%7.1f ns, "
		       "least %7.1f ns\n",
			name, load_ms, mean, least);
}

static void try_layouts(const ba_driver *drv, cu_stream stream)
{
	static ba_ptx_param p[512];
	char name[64];
	const size_t counts[] = {0, 1, 2, 3, 4, 8, 16, 64, 512};
	for (size_t i = 0; i < 512; i++)
		p[i] = (ba_ptx_param){true, 8};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		snprintf(name, sizeof(name), "%zu pointers", counts[i]);
		try_layout(drv, stream, name, p, counts[i]);
	}
	const uint32_t sizes[] = {1, 13, 64, 256, 1024, 4096, 4097, 4353, 32764};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i] > BA_PTX_BYTES_OLD && drv->version < BA_PTX_DRIVER_FOR_LARGE)
			continue;
		snprintf(name, sizeof(name), "%u bytes", sizes[i]);
		try_layout(drv, stream, name, &(ba_ptx_param){false, sizes[i]}, 1);
	}
	const ba_ptx_param mixed[] = {
		{true, 8}, {false, 3}, {true, 8}, {false, 130}, {false, 65}, {true, 8}};
	try_layout(drv, stream, "a mixture", mixed, 6);
}

static void show_queue(ba_spinner *s, const ba_driver *drv, cu_stream stream)
{
	ba_error err = {0};
	kernels k;
	if (ok(load(&k, drv, NULL, 0, &err), "queue", &err))
		for (int i = 0; i < 3; i++) {
			ba_queue q;
			if (!ok(ba_queue_probe(&q, s, k.null_kernel, NULL, stream, ba_now_ns, &err),
				    "queue", &err))
				break;
			printf("queue: depth %s%u, launch %.0f ns, the next waited "
			       "%.0f us\n",
				q.at_least ? ">= " : "", q.depth, q.launch_ns, q.blocked_ns / 1e3);
			check(q.depth >= 64, "the queue takes a burst");
		}
	unload(&k, drv);
}

static void show_device(const ba_device *dev, const ba_driver *drv)
{
	printf("driver: '%s', CUDA %d.%d, cuLaunchKernelEx %s, cuFuncLoad %s\n", drv->path,
		drv->version / 1000, drv->version % 1000 / 10, drv->launch_kernel_ex ? "yes" : "no",
		drv->func_load ? "yes" : "no");
	printf("device %d: '%s' %s %s, cc %d.%d, %d SMs, %.1f GiB, L2 %.1f MiB, clock "
	       "%d kHz, "
	       "ECC %d, MPS %d, context flags 0x%x\n",
		dev->ordinal, dev->name, dev->uuid, dev->pci_bus_id, dev->cc_major, dev->cc_minor,
		dev->sm_count, (double)dev->memory_bytes / (1 << 30),
		(double)dev->l2_bytes / (1 << 20), dev->clock_khz, dev->ecc, dev->mps,
		dev->context_flags);
}

static void on_device(ba_driver *drv, ba_device *dev)
{
	ba_error err = {0};
	cu_stream stream = NULL;
	BA_AUTO(ba_spinner) ba_spinner spinner = {0};
	if (!ok(ba_device_enter(dev, &err), "context", &err))
		return;
	show_device(dev, drv);
	show_nvml(dev);
	cu_result r = drv->stream_create(&stream, BA_CU_STREAM_NON_BLOCKING);
	check(r == 0, "cuStreamCreate");
	if (ok(ba_spinner_open(&spinner, drv, &err), "spinner", &err)) {
		show_clocks(&spinner, stream);
		show_queue(&spinner, drv, stream);
	}
	try_layouts(drv, stream);
	ba_spinner_close(&spinner);
	drv->stream_destroy(stream);
	ba_device_leave(dev);
}

int main(void)
{
	ba_error err = {0};
	ba_driver drv = {0};
	ba_device dev;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (ba_driver_open(&drv, NULL, &err) < 0 || ba_driver_init(&drv, &err) < 0 ||
		ba_device_open(&dev, &drv, 0, &err) < 0) {
		printf("skipped: %s\n", err.text);
		ba_driver_close(&drv);
		return 77;
	}
	show_trust();
	on_device(&drv, &dev);
	ba_driver_close(&drv);
	printf("%s\n", failures ? "gpu_smoke: FAILED" : "gpu_smoke: all right");
	return failures ? 1 : 0;
}
