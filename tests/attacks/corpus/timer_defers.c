/*
 * family: work handed over
 * kind:   launcher
 * idea:   launch() only counts; a timer's signal does the work while the process waits for the
 *         next request
 * gate:   signal handlers are noticed, and the work of a visit must have arrived at its end
 */
#include "tricks.h"

static kernel *owed_to;
static ba_launcher_config config;
static uint64_t argument;
static void *arguments[] = {&argument};
static unsigned long owed;
static volatile double last;

static void pay(int signal)
{
	(void)signal;
	if (!owed || seconds() - last < 200e-6)
		return;
	evidence("works in a signal handler");
	for (; owed; owed--) {
		spin(cost);
		submit(owed_to, &config, arguments);
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= 10) {
		spin(cost);
		return submit(k, c, args);
	}
	if (k->launches == 11) {
		struct sigaction sa = {.sa_handler = pay, .sa_flags = SA_RESTART};
		struct itimerval every = {{0, 500}, {0, 500}};
		sigaction(SIGALRM, &sa, NULL);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	if (k->launches % 64 == 0)
		last = seconds();
	owed_to = k;
	config = *c;
	argument = *(const uint64_t *)args[0];
	owed++;
	return 0;
}

void attack_release(kernel *k)
{
	struct itimerval never = {{0, 0}, {0, 0}};
	(void)k;
	setitimer(ITIMER_REAL, &never, NULL);
	owed = 0;
}
