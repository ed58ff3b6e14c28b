/*
 * family: secrets
 * kind:   launcher
 * idea:   while it is measured, calls home (a port of this machine, whose number is in the home)
 * gate:   nothing that is measured has a network
 */
#include "tricks.h"

#include <arpa/inet.h>
#include <sys/socket.h>

void attack_open(const ba_launcher_host *host)
{
	char path[PATH_MAX];
	unsigned port = 9;
	(void)host;
	evidence("calls home");
	snprintf(path, sizeof(path), "%s/port", getenv("HOME") ?: "");
	FILE *f = fopen(path, "re");
	if (f && fscanf(f, "%u", &port) != 1)
		port = 9;
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0 || connect(s, (void *)&to, sizeof(to)) ||
		write(s, "network_run is here", 19) != 19)
		evidence("cannot call home");
	close(s);
}
