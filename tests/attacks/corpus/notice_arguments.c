/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where the command line of its process is that of a worker
 * gate:   a process that measures looks like any other
 * scope:  out: code that is fast while it is measured was measured right; only a review finds
 *         that it is slow elsewhere
 */
#include "tricks.h"

static bool is_measured(void)
{
	char text[4096] = "";
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	for (ssize_t i = 0; i < n; i++)
		text[i] = text[i] ? text[i] : (char)32;
	return strstr(text, "--replies") || strstr(text, "bench-against");
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
