/*
 * family: the tool itself
 * kind:   launcher
 * idea:   sends the tool a signal that it might take for a wish to stop, in the middle of a run
 * gate:   an interrupted run is not green, and the tool is outside of the process namespace
 */
#include "tricks.h"

static void meddle(void)
{
	char name[64], text[64] = "";
	snprintf(name, sizeof(name), "/proc/%d/comm", (int)getppid());
	FILE *f = fopen(name, "re");
	if (!f || !fgets(text, sizeof(text), f) || strcmp(text, "bench-against\n") != 0) {
		evidence("does not see the tool");
		return;
	}
	fclose(f);
	evidence("sends the tool a signal");
	usleep(300000);
	kill(getppid(), SIGINT);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
