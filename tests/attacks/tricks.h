/* What several attacks need: the other variants' processes, libraries and symbols. */
#ifndef TRICKS_H
#define TRICKS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "project.h"

#define UNUSED __attribute__((unused)) static

/* beyond the checks and the warm-up: what follows is measured */
#define WARM 2200

UNUSED double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

UNUSED const char *own_path(void)
{
	Dl_info self;
	return dladdr((void *)&own_path, &self) ? self.dli_fname : "";
}

/* Where a file whose path ends in `suffix`, and which is not this library, is mapped
 * first in a process; 0: nowhere. */
UNUSED uintptr_t mapped(pid_t pid, const char *suffix, char path[PATH_MAX])
{
	char name[64], line[PATH_MAX + 128];
	uintptr_t base = 0;
	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(name, "re");
	while (maps && !base && fgets(line, sizeof(line), maps)) {
		char *at = strchr(line, '/');
		line[strcspn(line, "\n")] = '\0';
		size_t length = at ? strlen(at) : 0;
		if (length < strlen(suffix) || strcmp(at, own_path()) == 0 ||
			strcmp(at + length - strlen(suffix), suffix) != 0)
			continue;
		base = strtoull(line, NULL, 16);
		strcpy(path, at);
	}
	if (maps)
		fclose(maps);
	return base;
}

/* The address of a symbol within a library, from its first byte; 0: it has none. */
UNUSED uintptr_t symbol_of(const char *path, const char *name)
{
	struct stat s;
	uintptr_t found = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &s))
		return 0;
	const char *file = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return 0;
	const ElfW(Ehdr) *head = (const void *)file;
	const ElfW(Shdr) *sections = (const void *)(file + head->e_shoff);
	for (int i = 0; i < head->e_shnum && !found; i++) {
		if (sections[i].sh_type != SHT_DYNSYM)
			continue;
		const char *names = file + sections[sections[i].sh_link].sh_offset;
		const ElfW(Sym) *symbols = (const void *)(file + sections[i].sh_offset);
		for (size_t k = 0; k < sections[i].sh_size / sizeof(*symbols); k++)
			if (strcmp(names + symbols[k].st_name, name) == 0)
				found = symbols[k].st_value;
	}
	munmap((void *)file, (size_t)s.st_size);
	return found;
}

/* Where in a library's file the value at an address lies. */
UNUSED off_t offset_in_file(const char *path, uintptr_t address)
{
	char head[4096];
	off_t found = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head));
	const ElfW(Ehdr) *h = (const void *)head;
	const ElfW(Phdr) *p = (const void *)(head + sizeof(*h));
	for (int i = 0; n == sizeof(head) && i < h->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && address >= p[i].p_vaddr &&
			address < p[i].p_vaddr + p[i].p_filesz)
			found = (off_t)(address - p[i].p_vaddr + p[i].p_offset);
	if (fd >= 0)
		close(fd);
	return found;
}

/* Writes another cost into a library or program on the disk; 0: done. */
UNUSED int slow_file(const char *path)
{
	unsigned turns = 6 * FAST;
	uintptr_t address = symbol_of(path, "cost");
	off_t at = address ? offset_in_file(path, address) : -1;
	int fd = at < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pwrite(fd, &turns, sizeof(turns), at);
	if (fd >= 0)
		close(fd);
	return n == sizeof(turns) ? 0 : -1;
}

/* Calls with the paths of a file in the trees beside one's own; how many there are. */
UNUSED int in_other_trees(const char *name, void (*call)(const char *path))
{
	char own[PATH_MAX], path[2 * PATH_MAX];
	int n = 0;
	struct dirent *e;
	struct stat s, mine;
	strcpy(own, own_path());
	if (!strrchr(own, '/') || own[0] != '/')
		strcpy(own, getcwd(path, PATH_MAX) ? path : "");
	else
		*strrchr(own, '/') = '\0';
	strcat(own, "/..");
	DIR *trees = opendir(own);
	*strrchr(own, '/') = '\0';
	int known = stat(own, &mine);
	while (trees && (e = readdir(trees))) {
		snprintf(path, sizeof(path), "%s/../%s", own, e->d_name);
		if (e->d_name[0] == '.' || stat(path, &s) ||
			(known == 0 && s.st_ino == mine.st_ino))
			continue;
		snprintf(path, sizeof(path), "%s/../%s/%s", own, e->d_name, name);
		if (access(path, F_OK))
			continue;
		n++;
		call(path);
	}
	if (trees)
		closedir(trees);
	return n;
}

UNUSED long number_in(pid_t pid, const char *key)
{
	char name[64], line[256];
	long value = -1;
	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	FILE *status = fopen(name, "re");
	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, key, strlen(key)) == 0)
			value = strtol(line + strlen(key), NULL, 10);
	if (status)
		fclose(status);
	return value;
}

/* The process of another variant: it has its library, and not this one's; 0: none. */
UNUSED pid_t other_worker(char path[PATH_MAX], uintptr_t *base)
{
	struct dirent *e;
	pid_t found = 0;
	DIR *proc = opendir("/proc");
	while (proc && !found && (e = readdir(proc))) {
		pid_t pid = atoi(e->d_name);
		if (pid <= 0 || pid == getpid() ||
			number_in(pid, "PPid:") != number_in(getpid(), "PPid:"))
			continue;
		*base = mapped(pid, "/launcher.so", path);
		found = *base ? pid : 0;
	}
	if (proc)
		closedir(proc);
	return found;
}

/* The address of the other worker's `cost`, and its process; 0: not to be found. */
UNUSED pid_t other_cost(uintptr_t *address)
{
	char path[PATH_MAX];
	uintptr_t base = 0, offset = 0;
	pid_t pid = other_worker(path, &base);
	if (!pid) {
		evidence("sees no other worker");
		return 0;
	}
	offset = symbol_of(path, "cost");
	if (!offset)
		evidence("sees another worker, cannot read its library");
	*address = base + offset;
	return offset ? pid : 0;
}

/* In a child process until its parent is gone, and for half a minute at most. */
UNUSED pid_t helper(void (*run)(void))
{
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(30);
		if (getppid() == parent)
			run();
		usleep(100000); /* what it tells is there to be seen */
		_exit(0);
	}
	if (child < 0)
		evidence("cannot start a process");
	return child;
}

/* In a thread. */
UNUSED void *thread_body(void *run)
{
	((void (*)(void))run)();
	return NULL;
}
UNUSED int thread(void (*run)(void))
{
	pthread_t t;
	return pthread_create(&t, NULL, thread_body, (void *)run);
}

/* Writes over code; 0: done. */
UNUSED int patch(void *code, const void *bytes, size_t n)
{
	uintptr_t page = (uintptr_t)code & ~(uintptr_t)4095;
	size_t size = (uintptr_t)code + n - page;
	if (mprotect((void *)page, size, PROT_READ | PROT_WRITE | PROT_EXEC))
		return errno;
	memcpy(code, bytes, n);
	__builtin___clear_cache((char *)code, (char *)code + n);
	mprotect((void *)page, size, PROT_READ | PROT_EXEC);
	return 0;
}

/* A jump from one function to another one. */
UNUSED int patch_jump(void *from, void *to)
{
#if defined(__x86_64__)
	unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
	memcpy(jump + 2, &to, 8);
	return patch(from, jump, sizeof(jump));
#elif defined(__aarch64__)
	uint32_t jump[4] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
	memcpy(jump + 2, &to, 8);
	return patch(from, jump, sizeof(jump));
#else
	(void)from, (void)to;
	return ENOSYS;
#endif
}

/* Replaces a function in the table through which a program or library calls it; how
 * many tables had it. `of`: the end of its path; "": the program. */
typedef struct got_change {
	const char *of;
	void *from, *to;
	int count;
} got_change;

UNUSED void got_try(got_change *c, ElfW(Addr) base, const ElfW(Rela) * rela, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void **slot = (void **)(base + rela[i].r_offset);
		if (ELF64_R_TYPE(rela[i].r_info) == R_X86_64_RELATIVE || *slot != c->from)
			continue;
		uintptr_t page = (uintptr_t)slot & ~(uintptr_t)4095;
		if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0) {
			*slot = c->to;
			c->count++;
		}
	}
}

UNUSED int got_module(struct dl_phdr_info *info, size_t size, void *data)
{
	got_change *c = data;
	const ElfW(Dyn) *d = NULL;
	const ElfW(Rela) *rela = NULL, *plt = NULL;
	size_t rela_size = 0, plt_size = 0, n = strlen(info->dlpi_name);
	(void)size;
	if (*c->of ? n < strlen(c->of) || strcmp(info->dlpi_name + n - strlen(c->of), c->of) != 0
		   : n != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	for (; d && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_RELA)
			rela = (const void *)d->d_un.d_ptr;
		else if (d->d_tag == DT_RELASZ)
			rela_size = d->d_un.d_val;
		else if (d->d_tag == DT_JMPREL)
			plt = (const void *)d->d_un.d_ptr;
		else if (d->d_tag == DT_PLTRELSZ)
			plt_size = d->d_un.d_val;
	}
	if (rela)
		got_try(c, info->dlpi_addr, rela, rela_size / sizeof(*rela));
	if (plt)
		got_try(c, info->dlpi_addr, plt, plt_size / sizeof(*plt));
	return 0;
}

UNUSED int got_replace(const char *of, void *from, void *to)
{
	got_change c = {of, from, to, 0};
	dl_iterate_phdr(got_module, &c);
	return c.count;
}

#endif
