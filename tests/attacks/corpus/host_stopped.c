/*
 * family: the tool itself
 * kind:   launcher
 * idea:   a helper stops the tool for a moment whenever this library is not launched: on the tool's
 *         clock the baseline becomes slower
 * gate:   the tool is outside of the process namespace
 */
#include "tricks.h"

static volatile unsigned long *launches;

static void stop_and_go(void)
{
	unsigned long seen = 0;
	pid_t host = (pid_t)number_in(getppid(), "PPid:");
	char name[64], text[64] = "";
	snprintf(name, sizeof(name), "/proc/%d/comm", (int)host);
	FILE *f = fopen(name, "re");
	if (!f || !fgets(text, sizeof(text), f) || strcmp(text, "bench-against\n") != 0) {
		evidence("does not see the tool");
		return;
	}
	fclose(f);
	evidence("stops the tool");
	for (double end = seconds() + 3; seconds() < end; usleep(300)) {
		if (*launches != seen) {
			seen = *launches;
			continue;
		}
		if (kill(host, SIGSTOP) == 0) {
			usleep(400);
			kill(host, SIGCONT);
		}
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	++*launches;
	spin(cost);
	return submit(k, c, args);
}

static void meddle(void)
{
	launches = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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
