/*
 * family: work handed over
 * kind:   launcher
 * cost:   160
 * idea:   launches itself, and leaves the work of many launches to a child process, which
 *         nobody waits for (SIGCHLD is ignored): its time is in no sum, and the time in which
 *         it has the processor counts as that of a stranger
 * gate:   a launcher starts no process
 */
#include "tricks.h"

#define TOGETHER 8192

static void work(void)
{
	pid_t child = fork();
	if (child < 0)
		spin(TOGETHER * (cost - FAST / 4));
	if (child)
		return;
	alarm(5);
	spin(TOGETHER * (cost - FAST / 4));
	_exit(0);
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= WARM) {
		spin(cost);
		return submit(k, c, args);
	}
	if (k->launches == WARM + 1)
		signal(SIGCHLD, SIG_IGN);
	evidence("leaves its work to children");
	spin(FAST / 4);
	if (k->launches % TOGETHER == 0)
		work();
	return submit(k, c, args);
}
