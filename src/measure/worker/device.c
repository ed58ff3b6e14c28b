/* Driver, primary context, stream, clocks: the basis of measuring. */
#include <dlfcn.h>

#include "gpu/spin.h"
#include "proc/affinity.h"
#include "worker/inspect.h"
#include "worker/worker.h"

#define MEMORY_BYTES (1u << 20)
#define STREAM_NON_BLOCKING 1u

static ba_driver *symbol_driver; /* driver_symbol() of the ABI has no context argument */

void *ba_worker_driver_symbol(const char *name)
{
	void *real = symbol_driver ? ba_driver_symbol(symbol_driver, name) : NULL;
	return ba_images_symbol(name, real);
}

const char *const ba_target_names[] = {"gpu", "host", "fake", NULL};

/* The number of the word that the member `key` is. */
static int read_word(
	int *out, const char *const *words, const ba_message *m, const char *key, ba_error *err)
{
	const char *name = ba_message_text(m, key);
	for (*out = 0; words[*out]; ++*out)
		if (strcmp(words[*out], name) == 0)
			return 0;
	return ba_fail(err, BA_EPROTOCOL, "message 'open': no such %s '%s'", key, name);
}

/* A driver of our own may only stand where it was asked for. */
static int check_kind(const ba_worker *w, ba_error *err)
{
	static const ba_driver_kind wanted[] = {BA_DRIVER_REAL, BA_DRIVER_HOST, BA_DRIVER_FAKE};
	if (w->driver.kind == wanted[w->target])
		return 0;
	static const char *const sentences[] = {
		[BA_DRIVER_REAL] = "is a real driver",
		[BA_DRIVER_HOST] =
			"is the host target's: it executes nothing; run with --target host, or take it off the library path",
		[BA_DRIVER_FAKE] =
			"is a test driver with a simulated clock: its times say nothing about real code; remove it from the library path",
	};
	return ba_fail(err, BA_ESIMULATED, "the CUDA driver '%s' %s", w->driver.path,
		sentences[w->driver.kind]);
}

static int find_hooks(ba_worker *w, ba_error *err)
{
	if (w->target == BA_TARGET_GPU)
		return 0;
	*(void **)&w->record = dlsym(w->driver.library, BA_HOST_DRIVER_RECORD);
	if (w->target == BA_TARGET_FAKE)
		*(void **)&w->clock = dlsym(w->driver.library, "ba_fake_now_ns");
	*(void **)&w->witness = dlsym(w->driver.library, BA_HOST_DRIVER_WITNESS);
	if (!w->record || !w->witness)
		return ba_fail(err, BA_ELIBRARY, "the driver '%s' has no '%s'", w->driver.path,
			w->record ? BA_HOST_DRIVER_WITNESS : BA_HOST_DRIVER_RECORD);
	return 0;
}

static int allocate(ba_worker *w, ba_error *err)
{
	const ba_driver *drv = &w->driver;
	size_t report_bytes = sizeof(ba_ptx_record) + BA_PTX_BYTES_MAX + 16;
	BA_DRIVER_TRY(drv, err, "cuStreamCreate", stream_create(&w->stream, STREAM_NON_BLOCKING));
	w->memory_bytes = MEMORY_BYTES;
	BA_DRIVER_TRY(drv, err, "cuMemAlloc", mem_alloc(&w->memory, MEMORY_BYTES));
	BA_DRIVER_TRY(drv, err, "cuMemAlloc", mem_alloc(&w->report, report_bytes));
	return 0;
}

/* The GPU writes the marks of launches where the host can read them. */
static int share_witness(ba_worker *w, ba_error *err)
{
	const ba_driver *drv = &w->driver;
	cu_deviceptr page = 0;
	if (!drv->mem_host_register)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the driver has no cuMemHostRegister: launches cannot be counted where bench-against sees them");
	BA_DRIVER_TRY(drv, err, "cuMemHostRegister",
		mem_host_register(w->beacon, sizeof(*w->beacon), BA_CU_MEMHOSTREGISTER_DEVICEMAP));
	BA_DRIVER_TRY(drv, err, "cuMemHostGetDevicePointer",
		mem_host_get_device_pointer(&page, w->beacon, 0));
	w->mirror = page + offsetof(ba_beacon, witness);
	return 0;
}

/* The driver's threads inherit where this one may run when they start, and they start
 * with the driver: the processor that is measured on is not for them. */
static void leave_to_us(int cpu, ba_worker *w)
{
	ba_cpus allowed;

	if (ba_affinity_allowed(&allowed, NULL) == 0)
		w->allowed_cpus = (int)ba_cpus_count(&allowed);
	if (cpu >= 0)
		ba_affinity_avoid(cpu, "/sys");
}

int ba_worker_open_device(ba_worker *w, const ba_message *m, ba_error *err)
{
	int64_t device = 0, cpu = -1;
	const char *path = ba_message_text(m, "driver");
	const char *observer = ba_message_text(m, "observer");
	int target = 0, flush = 0;
	BA_TRY(read_word(&target, ba_target_names, m, "target", err));
	w->target = (ba_target)target;
	BA_TRY(*ba_message_text(m, "flush") ? read_word(&flush, ba_flush_names, m, "flush", err)
					    : 0);
	w->plugin.flush = (ba_flush_how)flush; /* without the member: by reading */
	BA_TRY(ba_message_i64(&device, m, "device", err));
	BA_TRY(ba_message_i64(&cpu, m, "cpu", err));
	leave_to_us((int)cpu, w);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	if (*observer && !*path)
		return ba_fail(err, BA_EPROTOCOL,
			"message 'open': beside an observer, 'driver' must be a path, because both have one name");
	BA_TRY(*observer ? ba_images_watch(observer, err) : 0);
	w->opened_ns = -ba_now_ns();
	BA_TRY(ba_driver_open(&w->driver, *path ? path : NULL, err));
	ba_images_start(w->driver.library);
	w->driver_open = true;
	symbol_driver = &w->driver;
	BA_TRY(check_kind(w, err));
	BA_TRY(ba_driver_init(&w->driver, err));
	BA_TRY(ba_device_open(&w->device, &w->driver, (int)device, err));
	BA_TRY(ba_device_enter(&w->device, err));
	w->opened_ns += ba_now_ns();
	BA_TRY(find_hooks(w, err));
	/* refused: the survey tells where we are */
	if (cpu >= 0)
		ba_affinity_pin((int)cpu, NULL);
	w->context = w->device.context;
	int rc = allocate(w, err);
	if (rc == 0 && w->target == BA_TARGET_GPU &&
		strcmp(ba_message_text(m, "witness"), "host") == 0)
		rc = share_witness(w, err);
	ba_process_code_learn(&w->code, BA_BEACON_NOBODY,
		w->target == BA_TARGET_GPU ? BA_PROCESS_CODE_FOREIGN : BA_PROCESS_CODE_OURS);
	w->kept_driver = ba_process_code_keep_table(
		&w->code, BA_BEACON_NOBODY, &w->driver, sizeof(w->driver));
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return rc;
}

void ba_worker_close_device(ba_worker *w)
{
	if (w->can_spin)
		ba_spinner_close(&w->spinner);
	w->driver.mem_free(w->report);
	w->driver.mem_free(w->memory);
	w->driver.stream_destroy(w->stream);
	ba_device_leave(&w->device);
}

/* An idle GPU sits at a fraction of its clock; a driver of our own has none. */
int ba_worker_warm_up(ba_worker *w, const ba_message *m, ba_error *err)
{
	if (w->target != BA_TARGET_GPU)
		return 0;
	if (!w->can_spin)
		BA_TRY(ba_spinner_open(&w->spinner, &w->driver, err));
	w->can_spin = true;
	ba_warmup warm;
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	int rc = ba_warmup_run(&warm, &w->spinner, (cu_stream)w->stream, ba_now_ns, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (rc == 0 && !warm.steady)
		ba_worker_note(w,
			"the GPU's clock was not steady after %.1f s (%.0f MHz): other work on it, heat or a power limit",
			(double)warm.wall_ns / 1e9, warm.mhz);
	return rc;
}
