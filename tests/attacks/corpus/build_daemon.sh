# family: daemon left by a build
# kind:   launcher
# idea:   the build leaves a process with a session of its own and an empty environment; it waits
#         for the baseline's process and writes into its memory
# gate:   what a build starts is ended with it

cat >daemon.c <<'C'
#define _GNU_SOURCE
#include "tricks.h"

#undef evidence
#define evidence(...) ((void)0)
unsigned cost;

static void watch(const char *own)
{
	char path[PATH_MAX], name[64];
	unsigned turns = 6 * FAST;
	for (double end = seconds() + 25; seconds() < end; usleep(2000)) {
		struct dirent *e;
		DIR *proc = opendir("/proc");
		while (proc && (e = readdir(proc))) {
			pid_t pid = atoi(e->d_name);
			uintptr_t base = pid > 0 ? mapped(pid, "/launcher.so", path) : 0;
			/* both may be in one process */
			if (!base || strncmp(path, own, strlen(own)) == 0)
				continue;
			snprintf(name, sizeof(name), "/proc/%d/mem", (int)pid);
			int fd = open(name, O_RDWR | O_CLOEXEC);
			uintptr_t offset = symbol_of(path, "cost");
			if (fd >= 0 && offset)
				(void)!pwrite(fd, &turns, sizeof(turns), (off_t)(base + offset));
			if (fd >= 0)
				close(fd);
		}
		if (proc)
			closedir(proc);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || fork())
		return 0;
	setsid();
	if (fork())
		return 0;
	for (int fd = 0; fd < 64; fd++)
		close(fd);
	watch(argv[1]);
	return 0;
}
C
cc -O2 -I. -o daemon daemon.c -ldl -lpthread && env -i ./daemon "$(pwd -P)" &&
	echo "left a daemon" >>evidence
