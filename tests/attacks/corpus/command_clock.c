/*
 * family: clock faked
 * kind:   command
 * idea:   the program has a clock of its own
 * gate:   what a program prints about itself cannot acquit it
 */
#include "tricks.h"

int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	double ns = ((double)t->tv_sec * 1e9 + (double)t->tv_nsec) / 40;
	evidence("was asked for the time");
	t->tv_sec = (time_t)(ns / 1e9);
	t->tv_nsec = (long)(ns - (double)t->tv_sec * 1e9);
	return rc;
}
