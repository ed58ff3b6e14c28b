/* A benchmark's kernels: made as PTX text, prepared by every variant, checked, warmed.
 */

#include "worker/inspect.h"
#include "worker/process_check.h"
#include "worker/launches.h"

#define WARM_UP_LAUNCHES 2000u
#define WARM_UP_BURST 32u
#define WARM_UP_SEED 1u

/* Odd shapes, so that a mix-up of dimensions shows. */
static const ba_launcher_dim3 check_grid = {2, 3, 1}, check_block = {4, 2, 2};
#define CHECK_SHARED 96u

static void describe_fault(ba_worker *w, const ba_participant *p, const ba_fault *f, ba_buf *text)
{
	if (f->launch_rc && p->kernel) {
		const ba_library *lib = &w->libs[p->variant];
		const char *why = lib->launcher->last_error(lib->session);
		ba_buf_printf(text, "launch() returned %d", f->launch_rc);
		if (why && *why)
			ba_buf_printf(text, ": %s", why);
	} else if (f->launch_rc) {
		ba_buf_printf(text, "the floor (a bare launch by the tool) returned %s",
			ba_driver_result_name(&w->driver, f->launch_rc));
	}
	if (f->driver_rc)
		ba_buf_printf(text, "%sthe driver reports %s (%d) after its launches",
			text->len ? "; " : "", ba_driver_result_name(&w->driver, f->driver_rc),
			f->driver_rc);
	if (f->context_changed)
		ba_buf_printf(text,
			"%sit left another CUDA context current than the one it was called with",
			text->len ? "; " : "");
}

int ba_kernels_fault(ba_worker *w, const ba_participant *p, const ba_fault *f, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	describe_fault(w, p, f, &text);
	if (f->context_changed)
		w->driver.ctx_set_current(w->context);
	ba_worker_look_at_context(w);
	BA_AUTO_FREE char *safe = ba_text_safe(text.data);
	/* the floor is the tool's own launch: no variant has failed */
	return ba_fail(err, p->kernel ? BA_EVARIANT : BA_EGPU, "%s", safe);
}

/* The parameters one after the other, as the check kernel writes them. */
static size_t values_bytes(const ba_case *c)
{
	return ba_ptx_offset(c->layout, c->param_count, c->param_count);
}

/* Pointers point into real memory; bytes hold a pattern that tells places apart. */
static void fill_values(ba_worker *w, ba_case *c)
{
	for (unsigned i = 0; i < c->param_count; i++) {
		size_t at = ba_ptx_offset(c->layout, c->param_count, i);
		c->args[i] = c->values + at;
		if (c->params[i].kind == BA_LAUNCHER_PARAM_POINTER) {
			uint64_t address = w->memory + (uint64_t)i * 256 % w->memory_bytes;
			memcpy(c->args[i], &address, sizeof(address));
		} else {
			for (uint32_t k = 0; k < c->params[i].size; k++)
				c->values[at + k] = (unsigned char)(i * 37 + k * 11 + 5);
		}
	}
}

/* Each parameter has `bytes` bytes; 0: each is a pointer. */
static void set_params(ba_case *c, uint64_t bytes)
{
	for (unsigned i = 0; i < c->param_count; i++) {
		c->params[i] = bytes ? (ba_launcher_param){BA_LAUNCHER_PARAM_BYTES, (uint32_t)bytes}
				     : (ba_launcher_param){BA_LAUNCHER_PARAM_POINTER, 8};
		c->layout[i] = (ba_ptx_param){.pointer = bytes == 0, .bytes = c->params[i].size};
	}
}

/* One text for the check and for what is timed: the driver compiles it once. */
static int make_image(ba_case *c, const ba_worker *w, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_TRY(ba_ptx_generate(&text, c->layout, c->param_count, w->report, w->mirror, err));
	c->image_size = text.len + 1;
	c->image = ba_buf_detach(&text);
	return 0;
}

static int make_case(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_case *c = &w->now;
	uint64_t args = 0, bytes = 0;
	BA_TRY(ba_message_u64(&args, m, "args", err));
	BA_TRY(ba_message_u64(&bytes, m, "bytes", err));
	if (args > BA_PTX_PARAMS_MAX || bytes > BA_PTX_BYTES_MAX)
		return ba_fail(err, BA_EINVAL,
			"%" PRIu64 " parameters of %" PRIu64
			" bytes are more than a kernel takes (%d parameters, %d bytes in all)",
			args, bytes ? bytes : 8, BA_PTX_PARAMS_MAX, BA_PTX_BYTES_MAX);
	c->benchmark = ba_xstrdup(ba_message_text(m, "benchmark"));
	c->path = ba_xstrdup(ba_message_text(m, "path"));
	c->param_count = (unsigned)args;
	c->params = ba_xcalloc(args, sizeof(*c->params));
	c->args = ba_xcalloc(args + 1, sizeof(*c->args));
	c->layout = ba_xcalloc(args, sizeof(*c->layout));
	set_params(c, bytes);
	c->values = ba_xcalloc(1, values_bytes(c) + 8);
	fill_values(w, c);
	c->participants = ba_xcalloc(w->lib_count + 1, sizeof(*c->participants));
	ba_launches_make_ring(c);
	return make_image(c, w, err);
}

static ba_launcher_kernel_desc kernel_desc(const ba_case *c, bool check)
{
	return (ba_launcher_kernel_desc){.abi = BA_LAUNCHER_ABI,
		.struct_size = sizeof(ba_launcher_kernel_desc),
		.image = c->image,
		.image_size = c->image_size,
		.entry = check ? BA_PTX_ENTRY_CHECK : BA_PTX_ENTRY_NULL,
		.path = c->path,
		.params = c->params,
		.param_count = c->param_count};
}

static int prepare_one(
	ba_worker *w, int variant, bool check, ba_launcher_kernel **out, ba_error *err)
{
	const ba_library *lib = &w->libs[variant];
	ba_launcher_kernel_desc desc = kernel_desc(&w->now, check);
	ba_launcher_kernel *kernel = NULL;
	ba_process_check process;
	ba_process_check_begin(&process);
	ba_worker_enter(w, variant, BA_PHASE_PREPARE);
	int rc = lib->launcher->prepare(&kernel, lib->session, &desc);
	if (rc || !kernel) {
		const char *why = lib->launcher->last_error(lib->session);
		BA_AUTO_FREE char *safe = ba_text_safe(why ? why : "");
		ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
		return ba_fail(err, BA_EVARIANT, "prepare() returned %d%s%s%s", rc,
			rc == 0 ? " but gave no kernel" : "", *safe ? ": " : "", safe);
	}
	rc = ba_process_check_end(&process, w, variant, BA_PHASE_PREPARE, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	*out = kernel;
	return rc;
}

static void release_one(ba_worker *w, int variant, ba_launcher_kernel *kernel)
{
	ba_worker_enter(w, variant, BA_PHASE_RELEASE);
	w->libs[variant].launcher->release(kernel);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
}

ba_sampler ba_kernels_sampler(ba_worker *w)
{
	return (ba_sampler){.driver = w->kept_driver,
		.context = w->context,
		.config = {{1, 1, 1}, {1, 1, 1}, 0, w->stream},
		.ring = w->now.ring,
		.mask = w->now.ring_count - 1,
		.clock = w->clock,
		.beacon = w->beacon};
}

static int expect(const ba_case *c, const void *record, ba_error *err)
{
	const ba_ptx_launch launch = {.grid = {check_grid.x, check_grid.y, check_grid.z},
		.block = {check_block.x, check_block.y, check_block.z},
		.shared_bytes = CHECK_SHARED,
		.launches = 1};
	if (ba_ptx_expect(record, c->layout, c->param_count, c->args, &launch, err))
		return ba_fail_context(err, "wrong answer");
	return 0;
}

/* On a GPU the kernel itself reports what it was given. */
static int check_on_gpu(ba_worker *w, const ba_sampler *s, const ba_participant *p,
	unsigned char *record, size_t bytes, ba_error *err)
{
	ba_fault fault;
	uint64_t ns;
	BA_DRIVER_TRY(&w->driver, err, "cuMemsetD8", memset_d8(w->report, 0, bytes));
	w->driver.ctx_synchronize();
	if (w->mirror)
		w->beacon->witness.launches = w->beacon->witness.sum = w->beacon->witness.whole = 0;
	if (ba_sampler_burst(&ns, s, p, BA_MODE_SUSTAINED, 1, 1, &fault))
		return ba_kernels_fault(w, p, &fault, err);
	BA_DRIVER_TRY(&w->driver, err, "cuMemcpyDtoH", memcpy_dtoh(record, w->report, bytes));
	return 0;
}

/* A driver of our own writes down what it was given. */
static int check_by_record(ba_worker *w, const ba_sampler *s, const ba_participant *p,
	unsigned char *record, size_t bytes, ba_error *err)
{
	ba_fault fault;
	uint64_t ns;
	BA_AUTO_FREE uint32_t *sizes = ba_xcalloc(w->now.param_count, sizeof(*sizes));
	for (unsigned i = 0; i < w->now.param_count; i++)
		sizes[i] = w->now.params[i].size;
	ba_host_record rec = BA_HOST_RECORD_INIT;
	rec.param_sizes = sizes;
	rec.param_count = w->now.param_count;
	rec.data = record + sizeof(ba_ptx_record);
	rec.data_capacity = bytes - sizeof(ba_ptx_record);
	w->record(&rec);
	int rc = ba_sampler_burst(&ns, s, p, BA_MODE_SUSTAINED, 1, 1, &fault);
	w->record(NULL);
	if (rc)
		return ba_kernels_fault(w, p, &fault, err);
	if (rec.launches > 0 && strcmp(rec.entry, BA_PTX_ENTRY_CHECK) != 0)
		return ba_fail(err, BA_EVARIANT,
			"wrong answer: the kernel '%s' was launched, not '%s'", rec.entry,
			BA_PTX_ENTRY_CHECK);
	ba_ptx_record header = {.launches = rec.launches,
		.threads = (uint64_t)rec.launches * rec.grid[0] * rec.grid[1] * rec.grid[2] *
			   rec.block[0] * rec.block[1] * rec.block[2],
		.shared_bytes = rec.shared_bytes,
		.param_bytes = (uint32_t)values_bytes(&w->now)};
	memcpy(header.grid, rec.grid, sizeof(header.grid));
	memcpy(header.block, rec.block, sizeof(header.block));
	memcpy(record, &header, sizeof(header));
	return 0;
}

static int check_one(ba_worker *w, int variant, ba_error *err)
{
	ba_launcher_kernel *kernel = NULL;
	BA_TRY(prepare_one(w, variant, true, &kernel, err));
	ba_participant p = {
		.variant = variant, .launch = w->libs[variant].launcher->launch, .kernel = kernel};
	ba_sampler s = ba_kernels_sampler(w);
	s.ring = &w->now.args;
	s.mask = 0;
	s.config.grid = check_grid;
	s.config.block = check_block;
	s.config.shared_bytes = CHECK_SHARED;
	ba_worker_enter(w, variant, BA_PHASE_CHECK);
	size_t bytes = ba_ptx_record_bytes(w->now.layout, w->now.param_count);
	BA_AUTO_FREE unsigned char *record = ba_xcalloc(1, bytes);
	int rc = w->record ? check_by_record(w, &s, &p, record, bytes, err)
			   : check_on_gpu(w, &s, &p, record, bytes, err);
	rc = rc ? rc : expect(&w->now, record, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (!w->lost)
		release_one(w, variant, kernel);
	return rc;
}

static int warm_up(ba_worker *w, const ba_participant *p, ba_error *err)
{
	ba_sampler s = ba_kernels_sampler(w);
	ba_fault fault;
	ba_launches launches;
	uint64_t ns;
	ba_launches_ignore(w);
	int rc = ba_launches_begin(&launches, w, WARM_UP_SEED, 0, WARM_UP_LAUNCHES, err);
	ba_worker_enter(w, p->variant, BA_PHASE_PREPARE);
	for (unsigned n = 0; rc == 0 && n < WARM_UP_LAUNCHES; n += WARM_UP_BURST) {
		if (ba_sampler_burst(&ns, &s, p, BA_MODE_SUBMIT, WARM_UP_BURST, 1, &fault))
			return ba_kernels_fault(w, p, &fault, err);
		ba_launches_expect(&launches, w, WARM_UP_BURST);
	}
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	/* what is wrong with the floor's shows in its visits, and is a variant's fault */
	if (rc == 0 && p->kernel)
		rc = ba_launches_check(&launches, w, err);
	ba_launches_ignore(w);
	return rc;
}

/* From prepare() to the end of the first launch. */
static int first_call(ba_worker *w, ba_participant *p, ba_error *err)
{
	ba_first_call *first = &w->now.first;
	ba_sampler s = ba_kernels_sampler(w);
	ba_fault fault;
	uint64_t ns;
	s.ring = &w->now.args;
	s.mask = 0;
	ba_first_call_begin(first, ba_worker_now(w));
	BA_TRY(prepare_one(w, p->variant, false, &p->kernel, err));
	ba_worker_enter(w, p->variant, BA_PHASE_PREPARE);
	if (ba_sampler_burst(&ns, &s, p, BA_MODE_SUSTAINED, 1, 1, &fault))
		return ba_kernels_fault(w, p, &fault, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	ba_first_call_end(first, ba_worker_now(w), ba_images_observer(), w->opened_ns);
	ba_say fields[1 + BA_FIRST_CALL_SAYS] = {BA_SAY_U64("variant", (uint64_t)p->variant)};
	ba_worker_reply(w, "case", fields, 1 + ba_first_call_say(fields + 1, first));
	return 0;
}

static int prepare_variant(ba_worker *w, int variant, bool check, bool first, ba_error *err)
{
	ba_participant *p = &w->now.participants[variant];
	p->launch = w->libs[variant].launcher->launch;
	BA_TRY(first ? first_call(w, p, err) : 0);
	BA_TRY(check ? check_one(w, variant, err) : 0);
	BA_TRY(p->kernel ? 0 : prepare_one(w, variant, false, &p->kernel, err));
	return warm_up(w, p, err);
}

static int prepare_floor(ba_worker *w, ba_participant *p, ba_error *err)
{
	const ba_driver *drv = &w->driver;
	BA_DRIVER_TRY(
		drv, err, "cuModuleLoadData", module_load_data(&w->now.floor_module, w->now.image));
	BA_DRIVER_TRY(drv, err, "cuModuleGetFunction",
		module_get_function(&p->function, w->now.floor_module, BA_PTX_ENTRY_NULL));
	if (drv->func_load)
		drv->func_load(p->function);
	return warm_up(w, p, err);
}

int ba_kernels_prepare(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_kernels_release(w);
	bool check = ba_message_bool(m, "check"), first = ba_message_bool(m, "first_call");
	BA_AUTO_FREE uint64_t *wanted = ba_xcalloc(w->lib_count, sizeof(*wanted));
	BA_TRY(ba_message_u64s(wanted, w->lib_count, m, "variants", err));
	BA_TRY(make_case(w, m, err));
	ba_case *c = &w->now;
	for (size_t k = 0; k < w->lib_count && !w->lost; k++) {
		size_t i = w->order[k];
		ba_participant *p = &c->participants[i];
		*p = (ba_participant){.variant = (int)i, .absent = !wanted[i]};
		if (p->absent)
			continue;
		ba_error trouble;
		if (prepare_variant(w, (int)i, check, first, &trouble)) {
			p->absent = true;
			BA_TRY(ba_worker_blame(w, (int)i, &trouble, err));
		}
	}
	if (w->lost)
		return ba_fail(err, BA_EGPU, "the CUDA context is lost");
	ba_participant *floor = &c->participants[w->lib_count];
	*floor = (ba_participant){.variant = BA_BEACON_NOBODY};
	return prepare_floor(w, floor, err);
}

void ba_kernels_release(ba_worker *w)
{
	ba_case *c = &w->now;
	ba_launches_ignore(w);
	w->last_launched = BA_BEACON_NOBODY;
	for (size_t i = 0; c->participants && i < w->lib_count && !w->lost; i++)
		if (c->participants[i].kernel)
			release_one(w, (int)i, c->participants[i].kernel);
	if (c->floor_module && !w->lost)
		w->driver.module_unload(c->floor_module);
	BA_FREE(c->benchmark, c->path, c->params, c->layout, c->args, c->values, c->image,
		c->ring_values, c->ring_args, c->participants);
	ba_first_call_dispose(&c->first);
	*c = (ba_case){0};
}
