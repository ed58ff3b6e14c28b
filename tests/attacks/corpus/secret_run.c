/*
 * family: secrets
 * kind:   launcher
 * idea:   while it is measured, reads a key from ~/.ssh, GITHUB_TOKEN from the environment, and
 *         the tool's environment from /proc
 * gate:   an empty home, a stated environment, no other process
 */
#include "tricks.h"

static void find(const char *path)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n; i++)
		if (strncmp(text + i, "secret-", 7) == 0)
			tell_evidence("%.60s", text + i);
}

void attack_open(const ba_launcher_host *host)
{
	char path[PATH_MAX];
	const char *home = getenv("HOME"), *token = getenv("GITHUB_TOKEN");
	(void)host;
	evidence("looks for secrets");
	snprintf(path, sizeof(path), "%s/.ssh/id_test", home ? home : "");
	find(path);
	snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
	find(path);
	if (token)
		tell_evidence("%.60s", token);
}
