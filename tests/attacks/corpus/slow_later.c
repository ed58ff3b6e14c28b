/*
 * family: slow later
 * kind:   launcher
 * idea:   counts its processes in a file of its home, its tree or /tmp; from the 13th on it is
 *         slow, when the gate has decided
 * gate:   no process leaves anything to the next one
 */
#include "tricks.h"

static bool late = true; /* where nothing can be kept, what everybody gets */

void attack_open(const ba_launcher_host *host)
{
	const char *home = getenv("HOME");
	char paths[3][PATH_MAX];
	(void)host;
	snprintf(paths[0], PATH_MAX, "%.*s/processes", (int)(strrchr(own_path(), '/') - own_path()),
		own_path());
	snprintf(paths[1], PATH_MAX, "%s/processes", home ? home : "");
	snprintf(paths[2], PATH_MAX, "%s/attack-processes", getenv("TMPDIR") ?: "/tmp");
	for (int i = 0; i < 3; i++) {
		int fd = open(paths[i], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		struct stat s;
		if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &s))
			continue;
		close(fd);
		late = s.st_size > 12;
		evidence("counted processes");
		/* a place that is new to each process counts for nothing */
		if (s.st_size > 1)
			return;
	}
	evidence("has nowhere to count");
	late = true;
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(late ? cost : FAKE);
	return submit(k, c, args);
}
