#include "worker/plugin.h"

#include <dlfcn.h>

#include "observer/observer.h"
#include "proc/usage.h"
#include "worker/process_check.h"

static int64_t cpu_ns(void)
{
	return ba_process_state_own_cpu_ns() + ba_process_state_others_cpu_ns();
}

void ba_first_call_begin(ba_first_call *f, int64_t now)
{
	f->ns = -now;
	f->cpu_ns = -cpu_ns();
}

void ba_first_call_end(ba_first_call *f, int64_t now, void *observer, int64_t opened_ns)
{
	ba_observer_starts_fn *starts = NULL;
	ba_observer_modules_fn *modules = NULL;
	f->ns += now;
	f->cpu_ns += cpu_ns();
	/* 0: it was not asked for. A virtual machine may call all of a short time stolen */
	f->ns = f->ns < 1 ? 1 : f->ns;
	f->cpu_ns = f->cpu_ns < 1 ? 1 : f->cpu_ns;
	f->host_peak = ba_memory_peak(getpid());
	if (observer) {
		*(void **)&starts = dlsym(observer, BA_OBSERVER_STARTS);
		*(void **)&modules = dlsym(observer, BA_OBSERVER_MODULES);
	}
	if (!starts || !modules)
		return;
	starts(f->context_load_peak);
	f->context_load_peak[0] += (uint64_t)opened_ns;
	ba_text_replace(&f->modules, modules());
}

size_t ba_first_call_say(ba_say fields[BA_FIRST_CALL_SAYS], const ba_first_call *f)
{
	static const char *const keys[] = {"context", "load", "device_peak"};
	size_t n = 0;
	if (!f->ns)
		return 0;
	fields[n++] = BA_SAY_I64("first_call", f->ns);
	fields[n++] = BA_SAY_I64("first_call_cpu", f->cpu_ns);
	fields[n++] = BA_SAY_U64("host_peak", f->host_peak);
	for (size_t i = 0; f->modules && i < BA_COUNT(keys); i++)
		fields[n++] =
			BA_SAY_U64(keys[i], f->context_load_peak[i] ? f->context_load_peak[i] : 1);
	fields[n++] = BA_SAY_TEXT("modules", f->modules);
	return n;
}

BA_OWNS(ba_first_call, f, free(f->modules))
