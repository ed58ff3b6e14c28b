/*
 * family: baseline in the same process
 * kind:   launcher
 * quick:  yes
 * idea:   prepare() finds the baseline's library in its process, makes its code writable and
 *         replaces its launch() by a slower one
 * gate:   no other variant may be in the process that acquits
 */
#include "tricks.h"

static int slower(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(6 * FAST);
	return submit(k, c, args);
}

void attack_prepare(kernel *k)
{
	char path[PATH_MAX];
	(void)k;
	if (!mapped(getpid(), "/launcher.so", path)) {
		evidence("the baseline is not here");
		return;
	}
	void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	const ba_launcher *(*entry)(uint32_t);
	*(void **)&entry = library ? dlsym(library, BA_LAUNCHER_ENTRY) : NULL;
	int failed = entry ? patch_jump((void *)entry(1)->launch, (void *)slower) : ENOENT;
	evidence(failed ? "cannot patch" : "patched the baseline's code");
}
