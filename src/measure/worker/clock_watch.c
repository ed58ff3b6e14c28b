#include "worker/plugin.h"

/* a counter that moved by less was read a little later */
#define COUNTER_LEAST_NS 1000

void ba_clock_watch_open(ba_clock_watch *out, const char *pci_bus_id, bool fake)
{
	ba_error ignored;
	const char *path = fake ? getenv("BA_FAKE_NVML_LIBRARY") : NULL;
	*out = (ba_clock_watch){0};
	/* what the machine's own says of a GPU that is none means nothing */
	if (!fake || path)
		out->known = ba_nvml_open(&out->nvml, pci_bus_id, path, &ignored) == 0;
}

void ba_clock_watch_close(ba_clock_watch *w)
{
	if (w->known)
		ba_nvml_close(&w->nvml);
	*w = (ba_clock_watch){0};
}

void ba_clock_watch_begin(ba_clock_watch *w)
{
	if (w->known)
		w->before = ba_nvml_read_counters(&w->nvml);
}

uint32_t ba_clock_watch_moved(ba_clock_watch *w)
{
	if (!w->known)
		return 0;
	ba_nvml_counters now = ba_nvml_read_counters(&w->nvml);
	uint32_t moved = ba_nvml_moved(&w->before, &now, COUNTER_LEAST_NS);
	w->before = now;
	return moved;
}

char *ba_clock_watch_names(uint32_t moved)
{
	uint32_t harmful = ba_nvml_harmful(moved);
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		if (harmful >> i & 1)
			ba_buf_printf(&names, "%s%s", names.len ? ", " : "",
				ba_nvml_counter_infos[i].name);
	return harmful ? ba_buf_detach(&names) : NULL;
}
