/*
 * Preloaded into the tool: once BA_TEST_STOP="COUNT SIGNAL" invocations are in the
 * journal that it writes, the tool gets the signal, before it does anything else. So a
 * test stops a run where it means to, however slow the test or the machine is.
 * Children do not inherit it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long wanted;
static int number;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("BA_TEST_STOP");
	if (!text || sscanf(text, "%lu %d", &wanted, &number) != 2)
		wanted = 0;
	unsetenv("BA_TEST_STOP");
	unsetenv("LD_PRELOAD");
}

static unsigned long invocations(int fd)
{
	static const char what[] = "{\"t\":\"invocation\"";
	char path[64], line[1 << 16];
	unsigned long n = 0;
	int starts = 1; /* fgets cuts long lines */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in)) {
		n += starts && strncmp(line, what, strlen(what)) == 0;
		starts = strchr(line, '\n') != NULL;
	}
	if (in)
		fclose(in);
	return n;
}

/* the tool calls it after each invocation */
__attribute__((visibility("default"))) int fdatasync(int fd)
{
	static int (*real)(int);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
	int rc = real(fd);
	if (wanted && invocations(fd) >= wanted) {
		wanted = 0;
		kill(getpid(), number);
	}
	return rc;
}
