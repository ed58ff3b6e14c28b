#include <dirent.h>
#include <dlfcn.h>

#include "gpu/hostinfo.h"

static bool is_gpu_device(const char *name)
{
	if (!strncmp(name, "nvidia", 6) && isdigit((unsigned char)name[6]))
		return true;
	return !strcmp(name, "nvhost-gpu") || !strcmp(name, "nvgpu");
}

static void look_at_devices(ba_trust_inputs *in, const ba_trust_sources *src)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/dev", src->root);
	DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		in->dev_nvidia |= is_gpu_device(e->d_name);
		in->dev_dxg |= !strcmp(e->d_name, "dxg");
	}
	if (dir)
		closedir(dir);
}

/* Finds the first word that is a version in "NVRM version: NVIDIA UNIX ... Kernel
 * Module 580.159.04 Release ..." */
static void read_module_version(ba_trust_inputs *in, const ba_trust_sources *src)
{
	BA_AUTO_FREE char *text = ba_host_read(src->root, "/proc/driver/nvidia/version");
	char *save;
	for (char *word = strtok_r(text, " \t\n", &save); word;
		word = strtok_r(NULL, " \t\n", &save))
		if (isdigit((unsigned char)word[0]) && strchr(word, '.') &&
			strspn(word, "0123456789.") == strlen(word)) {
			ba_host_copy(in->module_version, sizeof(in->module_version), word);
			return;
		}
}

static void read_tracer(ba_trust_inputs *in, const ba_trust_sources *src)
{
	BA_AUTO_FREE char *text = ba_host_read(src->root, "/proc/self/status");
	const char *line = strstr(text, "TracerPid:");
	if (line)
		in->tracer_pid = (int)strtoul(line + 10, NULL, 10);
}

/* Finds libraries that only profilers, checkers and hooks load. */
static void look_for_injected(ba_trust_inputs *in, const ba_trust_sources *src)
{
	static const char *const known[] = {"libToolsInjection", "libcuinj64",
		"libsanitizer-collection", "libsanitizer-public", "libInterceptorInjection",
		"libnvbit", "libvgpu.so", "libcuda-control.so", "libcudadebugger",
		"libTreeLauncher", "libnvperf_target"};
	BA_AUTO_FREE char *maps = ba_host_read(src->root, "/proc/self/maps");
	char *save;
	for (char *line = strtok_r(maps, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *path = strchr(line, '/');
		for (size_t i = 0; path && i < BA_COUNT(known); i++)
			if (strstr(ba_path_base(path), known[i]))
				ba_host_copy(in->injected, sizeof(in->injected), path);
	}
}

static void look_at_machine(ba_trust_inputs *in, const ba_trust_sources *src)
{
#define READ_ENV(field, name) in->env.field = src->getenv(name);
	BA_TRUST_ENV_MAP(READ_ENV)
#undef READ_ENV
	look_at_devices(in, src);
	read_module_version(in, src);
	read_tracer(in, src);
	look_for_injected(in, src);
	BA_AUTO_FREE char *version = ba_host_read(src->root, "/proc/version");
	BA_AUTO_FREE char *dmesg = ba_host_read(src->root, "/proc/sys/kernel/osrelease");
	in->gvisor = strcasestr(version, "gvisor") || strcasestr(dmesg, "gvisor");
}

/* Finds the file that contains a driver function, if it is not the driver. */
static void look_for_hooks(ba_trust_inputs *in, const ba_driver *drv)
{
	Dl_info info;
	void *address;
	memcpy(&address, &drv->launch_kernel, sizeof(address));
	BA_AUTO_FREE char *real = realpath(drv->path, NULL);
	ba_host_copy(in->driver_path, sizeof(in->driver_path), real ? real : drv->path);
	if (!dladdr(address, &info) || !info.dli_fname || !real)
		return;
	BA_AUTO_FREE char *home = realpath(info.dli_fname, NULL);
	if (home && strcmp(home, real) != 0)
		ba_host_copy(in->hooked_by, sizeof(in->hooked_by), home);
}

static void ask_nvml(ba_trust_inputs *in, const ba_trust_sources *src)
{
	BA_AUTO(ba_nvml) ba_nvml nvml = {0};
	ba_error why = {0};
	if (ba_nvml_open(&nvml, in->device.pci_bus_id, src->nvml_path, &why) < 0) {
		ba_host_copy(in->nvml_error, sizeof(in->nvml_error), why.text);
		return;
	}
	in->nvml_loaded = true;
	in->nvml = ba_nvml_read(&nvml);
}

static void try_out(ba_trust_inputs *in, const ba_trust_sources *src, const ba_driver *drv)
{
	ba_error why = {0};
	in->probed = true;
	unsigned blocks = in->device.sm_count > 0 && in->device.sm_count < 2048
				  ? (unsigned)in->device.sm_count * 2
				  : 64;
	if (ba_proof_run(&in->proof, drv, blocks, src->seed, &why) < 0 ||
		(in->proof.ran && ba_probe_run(&in->probe, drv, src->now, &why) < 0))
		ba_host_copy(in->probe_error, sizeof(in->probe_error), why.text);
}

void ba_trust_examine_open(ba_trust_inputs *out, const ba_trust_sources *src, const ba_driver *drv,
	const ba_device *dev)
{
	ba_trust_inputs *in = out;
	look_at_machine(in, src);
	in->driver_loaded = true;
	in->driver_kind = drv->kind;
	in->cuda_version = drv->version;
	in->ordinal = src->ordinal;
	look_for_hooks(in, drv);
	if (ba_device_count(&in->device_count, drv, NULL) < 0)
		in->device_count = 1; /* a device is open, so there is at least one */
	in->device_open = true;
	in->device = *dev;
	/* the tool's own drivers have no NVML, and their answers about execution are
	 * known */
	if (drv->kind != BA_DRIVER_REAL)
		return;
	ask_nvml(in, src);
	if (src->probe)
		try_out(in, src, drv);
}

/* cuInit and the device; false: nothing more can be examined */
static bool open_device(
	ba_trust_inputs *in, ba_device *dev, ba_driver *drv, const ba_trust_sources *src)
{
	ba_error why = {0};
	in->init_result = drv->init(0);
	ba_host_copy(
		in->init_name, sizeof(in->init_name), ba_driver_result_name(drv, in->init_result));
	if (in->init_result)
		return false;
	if (drv->driver_get_version(&drv->version))
		drv->version = 0;
	in->cuda_version = drv->version;
	in->device_count = 1;
	if (ba_device_count(&in->device_count, drv, &why) < 0 ||
		ba_device_open(dev, drv, src->ordinal, &why) < 0) {
		ba_host_copy(in->device_error, sizeof(in->device_error), why.text);
		return false;
	}
	return true;
}

/* Measurements need a context; other evidence is collected without one. */
static void examine_device(
	ba_trust_inputs *in, const ba_trust_sources *src, ba_driver *drv, ba_device *dev)
{
	ba_trust_sources without_probe = *src;
	without_probe.probe = false;
	ba_trust_examine_open(in, &without_probe, drv, dev);
	if (!src->probe || drv->kind != BA_DRIVER_REAL)
		return;
	ba_error why = {0};
	if (ba_device_enter(dev, &why) < 0) {
		in->probed = true;
		ba_host_copy(in->probe_error, sizeof(in->probe_error), why.text);
		return;
	}
	try_out(in, src, drv);
	ba_device_leave(dev);
}

void ba_trust_examine(ba_trust_inputs *out, const ba_trust_sources *src)
{
	ba_driver drv;
	ba_device dev = {0};
	ba_error why = {0};
	out->ordinal = src->ordinal;
	look_at_machine(out, src);
	if (ba_driver_open(&drv, src->driver_path, &why) < 0) {
		ba_host_copy(out->driver_error, sizeof(out->driver_error), why.text);
		return;
	}
	out->driver_loaded = true;
	out->driver_kind = drv.kind;
	look_for_hooks(out, &drv);
	if (open_device(out, &dev, &drv, src))
		examine_device(out, src, &drv, &dev);
	ba_driver_close(&drv);
}
