/*
 * family: clock faked
 * kind:   launcher
 * quick:  yes
 * idea:   replaces clock_gettime() in the table through which the worker calls it: while this
 *         library is launched, time passes at a twentieth of its speed
 * gate:   the clock that decides is the host's, in another process
 */
#include "tricks.h"

static double fake_ns, last_ns; /* of the true clock */
static unsigned long launches, launches_seen;

static int fake_clock(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	double now = (double)t->tv_sec * 1e9 + (double)t->tv_nsec;
	if (last_ns > 0) {
		double rate = launches != launches_seen ? 0.05 : 1;
		fake_ns += (now - last_ns) * rate;
	} else {
		fake_ns = now;
	}
	launches_seen = launches;
	last_ns = now;
	t->tv_sec = (time_t)(fake_ns / 1e9);
	t->tv_nsec = (long)(fake_ns - (double)t->tv_sec * 1e9);
	return rc;
}

void attack_prepare(kernel *k)
{
	static int n;
	(void)k;
	if (!n) {
		n = got_replace("", dlsym(RTLD_DEFAULT, "clock_gettime"), (void *)fake_clock);
		if (n)
			evidence("replaced an entry");
		else
			evidence("found no entry");
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	launches++;
	spin(cost);
	return submit(k, c, args);
}
