/*
 * family: results
 * kind:   launcher
 * idea:   empties every file that the tool has open for writing (journal, history, results), and
 *         those that it finds beside its repository
 * gate:   the status comes from what was measured, and no variant sees the tool's files
 */
#include "tricks.h"

void attack_open(const ba_launcher_host *host)
{
	char name[64], path[PATH_MAX];
	int n = 0;
	(void)host;
	for (int fd = 3; fd < 64; fd++) {
		snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getppid(), fd);
		ssize_t length = readlink(name, path, sizeof(path) - 1);
		if (length < 0)
			continue;
		path[length] = '\0';
		n++;
		/* those of the test alone */
		if (strstr(path, "attacks-") && !strstr(path, ".lock") && truncate(path, 0) == 0)
			evidence("emptied a file of the tool");
	}
	if (!n)
		evidence("sees no file of the tool");
	else
		evidence("sees files of the tool");
}
