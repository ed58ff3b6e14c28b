/*
 * family: other worker slowed
 * kind:   launcher
 * idea:   a helper stops the baseline's process for a moment, again and again
 * gate:   no variant sees the processes of another one
 */
#include "tricks.h"

static void stop_and_go(void)
{
	uintptr_t base;
	char path[PATH_MAX];
	pid_t self = getppid(), pid = 0;
	cpu_set_t all;
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	for (double end = seconds() + 3; seconds() < end; spin(60000)) {
		/* the helper is a child of this worker: its siblings are others' helpers */
		if (!pid || kill(pid, 0)) {
			struct dirent *e;
			DIR *proc = opendir("/proc");
			for (pid = 0; proc && !pid && (e = readdir(proc));) {
				pid_t one = atoi(e->d_name);
				if (one > 0 && one != self && one != getpid() &&
					number_in(one, "PPid:") == number_in(self, "PPid:") &&
					(base = mapped(one, "/launcher.so", path)))
					pid = one;
			}
			if (proc)
				closedir(proc);
		}
		if (!pid) {
			evidence("sees no other worker");
			usleep(1000);
			continue;
		}
		if (kill(pid, SIGSTOP) == 0) {
			evidence("stopped the other worker");
			spin(600000);
			kill(pid, SIGCONT);
		}
	}
}

static void meddle(void)
{
	helper(stop_and_go);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
