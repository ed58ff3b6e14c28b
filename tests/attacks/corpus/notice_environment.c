/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where a variable of the environment begins with BENCH_AGAINST
 * gate:   no variable of the tool reaches what it measures
 * scope:  out: code that is fast while it is measured was measured right; only a review finds
 *         that it is slow elsewhere
 */
#include "tricks.h"

static bool is_measured(void)
{
	extern char **environ;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "BENCH_AGAINST", 13) == 0)
			return true;
	return false;
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
