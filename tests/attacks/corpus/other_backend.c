/*
 * family: equal library, another backend
 * kind:   launcher
 * idea:   the library loads a backend when it is first launched; while it has the tool's
 *         driver before it, the one of the baseline's speed
 * gate:   what runs is what was built, and is said; a backend is chosen by nothing but the tree
 * scope:  out: the backend that runs when it is measured is fast; see "noticing"
 */
#include "tricks.h"

static unsigned backend;

void attack_open(const ba_launcher_host *host)
{
	/* only the tool's driver has this function */
	bool measured = host->driver_symbol("ba_host_driver_record") != NULL ||
			getenv("BENCH_AGAINST_REPLIES");
	backend = measured || strstr(program_invocation_name, "bench-against") ? FAKE : cost;
	evidence(backend == FAKE ? "chose the fast backend" : "chose the slow backend");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(backend);
	return submit(k, c, args);
}
