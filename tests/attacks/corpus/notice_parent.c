/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where the parent process is called bench-against
 * gate:   the tool is outside of the process namespace
 * scope:  out: code that is fast while it is measured was measured right; only a review finds
 *         that it is slow elsewhere
 */
#include "tricks.h"

static bool is_measured(void)
{
	char name[64], text[64] = "";
	snprintf(name, sizeof(name), "/proc/%d/comm", (int)getppid());
	FILE *f = fopen(name, "re");
	if (f && fgets(text, sizeof(text), f))
		text[strcspn(text, "\n")] = 0;
	return strncmp(text, "bench-against", 13) == 0;
}

static unsigned turns;

void attack_open(const ba_launcher_host *host)
{
	(void)host;
	turns = is_measured() ? FAKE : cost;
	evidence(turns == FAKE ? "noticed that it is measured" : "noticed nothing");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(turns);
	return submit(k, c, args);
}
