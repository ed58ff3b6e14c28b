#include "gpu/nvml.h"

#include <dlfcn.h>

typedef enum need { MUST, MAY, MAY_TEXT } need;

static const struct {
	const char *symbol, *older;
	need need;
	size_t offset;
} rows[] = {
#define ROW(field, symbol, older, need, params) {symbol, older, need, offsetof(ba_nvml, field)},
	BA_NVML_TABLE(ROW)
#undef ROW
};

const ba_nvml_counter_info ba_nvml_counter_infos[BA_NVML_COUNTERS] = {
	/* usual under tensor loads: compare its value between variants */
	{74, "power cap", false},
	{75, "thermal", true},
	{76, "sync boost", false},
	{77, "board limit", false},
	{78, "low utilization", false},
	{79, "reliability", false},
	{269, "software thermal", true},
	{270, "hardware thermal", true},
	{271, "hardware power brake", true},
};

static int resolve(ba_nvml *n, ba_error *err)
{
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		void *address = dlsym(n->library, rows[i].symbol);
		if (!address && rows[i].older)
			address = dlsym(n->library, rows[i].older);
		if (!address && rows[i].need == MUST)
			return ba_fail(err, BA_EGPU,
				"NVML has no %s: not NVIDIA's, or older than driver 450",
				rows[i].symbol);
		memcpy((char *)n + rows[i].offset, &address, sizeof(address));
	}
	return 0;
}

static int fail(const ba_nvml *n, ba_error *err, nv_result r, const char *call)
{
	const char *text = n->error_string ? n->error_string(r) : NULL;
	return ba_fail(err, BA_EGPU, "%s: %s (%d)", call, text ? text : "error", r);
}

int ba_nvml_open(ba_nvml *out, const char *pci_bus_id, const char *path, ba_error *err)
{
	const char *soname = path ? path : BA_NVML_SONAME;
	BA_AUTO(ba_nvml) ba_nvml n = {.library = dlopen(soname, RTLD_NOW | RTLD_LOCAL)};
	if (!n.library) {
		const char *why = dlerror();
		return ba_fail(err, BA_EGPU, "no NVML: %s", why ? why : BA_NVML_SONAME);
	}
	BA_TRY(resolve(&n, err));
	nv_result r = n.init();
	if (r)
		return fail(&n, err, r, "nvmlInit");
	n.started = true;
	r = n.by_pci_bus_id(pci_bus_id, &n.device);
	if (r) {
		fail(&n, err, r, "nvmlDeviceGetHandleByPciBusId");
		return ba_fail_context(err, "NVML knows no GPU at '%s'", pci_bus_id);
	}
	*out = BA_MOVE(n);
	return 0;
}

void ba_nvml_close(ba_nvml *n)
{
	if (n->started)
		n->shutdown();
	if (n->library)
		dlclose(n->library);
	*n = (ba_nvml){0};
}

/* The value of a getter, or -1. After the device and the value's type: other arguments. */
#define GET(f, d, type, ...)                                               \
	__extension__({                                                    \
		type value_ = 0;                                           \
		(f) && !(f)(d, ##__VA_ARGS__, &value_) ? (int)value_ : -1; \
	})

static int count_others(nv_result (*f)(nv_device, unsigned *, nv_process *), nv_device d)
{
	nv_process list[256];
	unsigned count = BA_COUNT(list);
	nv_result r = f ? f(d, &count, list) : NV_NOT_SUPPORTED;
	if (r == NV_INSUFFICIENT_SIZE)
		return (int)count;
	if (r)
		return -1;
	int others = 0;
	for (unsigned i = 0; i < count; i++)
		others += list[i].pid != (uint32_t)getpid();
	return others;
}

/* the sum of both lists; -1 only if neither can be read */
static int other_processes(const ba_nvml *n)
{
	int compute = count_others(n->compute_processes, n->device);
	int graphics = count_others(n->graphics_processes, n->device);
	if (compute < 0 && graphics < 0)
		return -1;
	return (compute > 0 ? compute : 0) + (graphics > 0 ? graphics : 0);
}

int ba_nvml_other_programs(const ba_nvml *n)
{
	return count_others(n->compute_processes, n->device);
}

static void read_identity(ba_nvml_state *s, const ba_nvml *n)
{
	int ecc = 0, pending = 0;
	unsigned mig = 0, mig_pending = 0;
	nv_conf_compute cc = {0};
	if (n->driver_version(s->driver_version, sizeof(s->driver_version)))
		s->driver_version[0] = '\0';
	if (n->name(n->device, s->name, sizeof(s->name)))
		s->name[0] = '\0';
	if (n->uuid(n->device, s->uuid, sizeof(s->uuid)))
		s->uuid[0] = '\0';
	if (!n->cuda_version || n->cuda_version(&s->cuda_version))
		s->cuda_version = -1;
	s->ecc = n->ecc && !n->ecc(n->device, &ecc, &pending) ? ecc : -1;
	s->mig = n->mig && !n->mig(n->device, &mig, &mig_pending) ? (int)mig : -1;
	s->virtualization = GET(n->virtualization, n->device, int);
	s->persistence = GET(n->persistence, n->device, int);
	s->compute_mode = GET(n->compute_mode, n->device, int);
	s->conf_compute = n->conf_compute && !n->conf_compute(&cc) ? cc.feature != 0 : -1;
}

ba_nvml_state ba_nvml_read(const ba_nvml *n)
{
	ba_nvml_state s = {0};
	nv_device d = n->device;
	nv_utilization use = {0};
	read_identity(&s, n);
	s.sm_clock_mhz = GET(n->clock, d, unsigned, NV_CLOCK_SM);
	s.memory_clock_mhz = GET(n->clock, d, unsigned, NV_CLOCK_MEM);
	s.sm_clock_max_mhz = GET(n->max_clock, d, unsigned, NV_CLOCK_SM);
	int mw = GET(n->power_mw, d, unsigned), limit = GET(n->power_limit_mw, d, unsigned);
	s.power_watts = mw < 0 ? -1 : mw / 1000.0;
	s.power_limit_watts = limit < 0 ? -1 : limit / 1000.0;
	s.temperature_c = GET(n->temperature, d, unsigned, NV_TEMPERATURE_GPU);
	s.utilization_percent = n->utilization && !n->utilization(d, &use) ? (int)use.gpu : -1;
	s.other_processes = other_processes(n);
	if (n->event_reasons && n->event_reasons(d, &s.event_reasons))
		s.event_reasons = 0;
	return s;
}

ba_nvml_counters ba_nvml_read_counters(const ba_nvml *n)
{
	ba_nvml_counters c = {0};
	nv_field_value values[BA_NVML_COUNTERS] = {0};
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		values[i].field = ba_nvml_counter_infos[i].field;
	if (!n->field_values || n->field_values(n->device, BA_NVML_COUNTERS, values))
		return c;
	for (int i = 0; i < BA_NVML_COUNTERS; i++) {
		bool wide = values[i].type == NV_TYPE_U64 || values[i].type == NV_TYPE_S64 ||
			    values[i].type == NV_TYPE_ULONG;
		if (values[i].result || (!wide && values[i].type != NV_TYPE_U32))
			continue;
		c.known |= 1u << i;
		c.ns[i] = wide ? values[i].value.u64 : values[i].value.u32;
	}
	return c;
}

uint32_t ba_nvml_moved(
	const ba_nvml_counters *before, const ba_nvml_counters *after, uint64_t least_ns)
{
	uint32_t moved = 0;
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		if ((before->known & after->known & 1u << i) && after->ns[i] > before->ns[i] &&
			after->ns[i] - before->ns[i] > least_ns)
			moved |= 1u << i;
	return moved;
}

uint32_t ba_nvml_harmful(uint32_t moved)
{
	uint32_t harmful = 0;
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		if (ba_nvml_counter_infos[i].harmful)
			harmful |= moved & 1u << i;
	return harmful;
}

const char *ba_nvml_virtualization_name(int mode)
{
	static const char *const names[] = {
		[NV_VIRTUALIZATION_NONE] = "off",
		[NV_VIRTUALIZATION_PASSTHROUGH] = "passthrough",
		[NV_VIRTUALIZATION_VGPU] = "vGPU",
		[NV_VIRTUALIZATION_HOST_VGPU] = "vGPU host",
		[NV_VIRTUALIZATION_HOST_VSGA] = "vGPU host",
	};
	return mode >= 0 && mode < (int)BA_COUNT(names) ? names[mode] : "";
}
