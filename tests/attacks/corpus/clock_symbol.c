/*
 * family: clock faked
 * kind:   launcher
 * idea:   exports a clock_gettime() of its own, and makes its symbols global
 * gate:   the clock that decides is the host's, in another process
 */
#include "tricks.h"

static unsigned long launches, launches_seen;

int clock_gettime(clockid_t id, struct timespec *t)
{
	static double fake_ns, last_ns;
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	double now = (double)t->tv_sec * 1e9 + (double)t->tv_nsec;
	fake_ns += last_ns > 0 ? (now - last_ns) * (launches != launches_seen ? 0.05 : 1) : now;
	launches_seen = launches;
	last_ns = now;
	t->tv_sec = (time_t)(fake_ns / 1e9);
	t->tv_nsec = (long)(fake_ns - (double)t->tv_sec * 1e9);
	if (launches)
		evidence("was asked for the time");
	return rc;
}

static __attribute__((constructor)) void become_global(void)
{
	if (dlopen(own_path(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
		evidence("made its symbols global");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	launches++;
	spin(cost);
	return submit(k, c, args);
}
