/* What a launcher does to the process that it shares: deeds of launcher.c. */
#ifndef SUITES_PROCESS_CHECK_H
#define SUITES_PROCESS_CHECK_H

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OTHER_BUILD, THIS_BUILD, TOOL };

/* Where its code begins; 0: not loaded. */
static inline uintptr_t code_of(int whose)
{
	Dl_info self;
	char line[4096];
	uintptr_t found = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps || !dladdr((void *)&code_of, &self))
		return 0;
	const char *base =
		whose == TOOL ? "bench-against-worker" : strrchr(self.dli_fname, '/') + 1;
	while (!found && fgets(line, sizeof(line), maps)) {
		char *path = strchr(line, '/');
		char *name = path ? strrchr(path, '/') + 1 : NULL;
		line[strcspn(line, "\n")] = '\0';
		if (name && strstr(line, "r-xp") && strcmp(name, base) == 0 &&
			(strcmp(path, self.dli_fname) == 0) == (whose == THIS_BUILD))
			found = strtoull(line, NULL, 16);
	}
	fclose(maps);
	return found;
}

/* Another first byte, which is that of _init and has been executed. This file is not
 * asked for the rights of a page. */
static inline void patch(int whose)
{
	uintptr_t at = code_of(whose);
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	const unsigned char byte = 0xcc;
	if (at && (fd < 0 || pwrite(fd, &byte, 1, (off_t)at) != 1))
		abort();
	if (fd >= 0)
		close(fd);
}

/* as one usually does; the tool may have forbidden it */
static inline void patch_by_rights(void)
{
	uintptr_t at = code_of(OTHER_BUILD);
	if (at && mprotect((void *)at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
		*(volatile unsigned char *)at = 0xcc;
}

/* Wherever it may run, but for where it does. */
static inline void change_affinity(void)
{
	cpu_set_t all;
	CPU_ZERO(&all);
	for (int i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &all);
	if (sched_setaffinity(0, sizeof(all), &all))
		abort();
}

static inline void on_fault(int number)
{
	(void)number;
	_exit(0);
}

/* for as long as a short test measures, and not much longer */
static inline void *spin(void *unused)
{
	struct timespec spent = {0};
	while (spent.tv_sec == 0 && spent.tv_nsec < 500000000)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return unused;
}

static inline void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static inline void leave_thread(void *(*body)(void *))
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, body, NULL) || pthread_detach(thread))
		abort();
}

static inline void start_timer(void)
{
	const struct itimerval hour = {{0, 0}, {3600, 0}};
	if (setitimer(ITIMER_REAL, &hour, NULL))
		abort();
}

#endif
