/* How the sandbox is described to bubblewrap and to the kernel. Inside the module only. */
#pragma once

#include <linux/filter.h>

#include "sandbox/sandbox.h"

/* descriptors that bubblewrap reads and closes */
#define BA_SANDBOX_ARGS_FD 8
#define BA_SANDBOX_FILTER_FD 9

/* arguments.c: all arguments of bubblewrap except the command. env: the program's
 * environment; dir: its working directory */
void ba_sandbox_arguments(
	ba_strv *out, const ba_sandbox *box, const char *const *env, const char *dir);
/* Can the path be seen inside, by its text? */
bool ba_sandbox_sees(const ba_sandbox *box, const char *path);
/* where the empty home is; `home` is the value of HOME or NULL. Caller frees. */
char *ba_sandbox_home(const ba_sandbox *box, const char *home);

/* filter.c: the program of system calls that are refused, for one architecture
 * (AUDIT_ARCH_X86_64 or AUDIT_ARCH_AARCH64; another: 0 instructions). alone: new processes
 * are, too. */
enum { BA_FILTER_MOST = 512 };
typedef struct ba_filter {
	struct sock_filter items[BA_FILTER_MOST];
	size_t count;
} ba_filter;
void ba_sandbox_filter(ba_filter *out, uint32_t architecture, bool alone);
uint32_t ba_sandbox_architecture(void); /* of this machine; 0: one without a table */
