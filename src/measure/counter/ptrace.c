/* Steps this thread from a child process, for processors without a trap flag in user
 * mode. */
#include <elf.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "counter/counter.h"
#include "counter/row.h"

/* Traps before the call; the tracer waits for this. `end` is the instruction after the
 * call. */
uint64_t ba_counter_traced(const ba_counter_call *call);
extern const char ba_counter_traced_end[];

#ifdef __x86_64__
BA_COUNTER_FUNCTION("ba_counter_traced", "\tint3\n", "ba_counter_traced_end:\n");

static uint64_t address_of(pid_t thread)
{
	errno = 0;
	long at = ptrace(
		PTRACE_PEEKUSER, thread, (void *)offsetof(struct user_regs_struct, rip), NULL);
	return errno ? 0 : (uint64_t)at;
}

/* the thread is already past int3 */
static int pass_trap(pid_t thread)
{
	return 0;
}
#elif defined(__aarch64__)
__asm__(".text\n"
	".type ba_counter_traced, %function\n"
	"ba_counter_traced:\n"
	"\t.cfi_startproc\n"
	"\tstp x29, x30, [sp, #-16]!\n"
	"\t.cfi_def_cfa_offset 16\n"
	"\t.cfi_offset 29, -16\n"
	"\t.cfi_offset 30, -8\n"
	"\tmov x29, sp\n"
	"\tldr x9, [x0]\n"
	"\tldp x1, x2, [x0, #16]\n"
	"\tldr x0, [x0, #8]\n"
	"\tbrk #0\n"
	"\tblr x9\n"
	"ba_counter_traced_end:\n"
	"\tldp x29, x30, [sp], #16\n"
	"\tret\n"
	"\t.cfi_endproc\n"
	".size ba_counter_traced, .-ba_counter_traced\n");

static int registers(pid_t thread, int request, struct user_regs_struct *r)
{
	struct iovec all = {r, sizeof(*r)};
	return (int)ptrace(request, thread, (void *)NT_PRSTATUS, &all);
}

static uint64_t address_of(pid_t thread)
{
	struct user_regs_struct r;
	return registers(thread, PTRACE_GETREGSET, &r) ? 0 : r.pc;
}

/* the thread is still before brk */
static int pass_trap(pid_t thread)
{
	struct user_regs_struct r;
	if (registers(thread, PTRACE_GETREGSET, &r))
		return -1;
	r.pc += 4;
	return registers(thread, PTRACE_SETREGSET, &r);
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)

/* Waits until the thread stops. Returns the signal that stopped it, or -1 if it is
 * gone. */
static int wait_for_stop(pid_t thread)
{
	int status;
	while (waitpid(thread, &status, __WALL) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSTOPPED(status) ? WSTOPSIG(status) : -1;
}

/* Steps from the trap before the call to the instruction after it. */
static void step_through(ba_counter *c, pid_t thread)
{
	ba_counter_shared *s = c->shared;
	uint64_t end = (uint64_t)(uintptr_t)ba_counter_traced_end;
	int signal = 0;
	for (;;) {
		if (ptrace(PTRACE_SINGLESTEP, thread, NULL, (void *)(long)signal))
			break;
		int stopped = wait_for_stop(thread);
		if (stopped < 0)
			break;
		/* other signals are passed to the thread */
		signal = stopped == SIGTRAP ? 0 : stopped;
		if (signal)
			continue;
		uint64_t at = address_of(thread);
		if (at == end)
			return;
		if (!ba_counter_note(s, c->addresses, at)) {
			s->stop = BA_STOP_MOST;
			return;
		}
	}
	s->stop = BA_STOP_LOST;
}

static void trace(ba_counter *c, pid_t thread)
{
	ba_counter_shared *s = c->shared;
	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL)) {
		s->error = errno;
		s->stop = BA_STOP_DENIED;
		s->ready = 1;
		return;
	}
	s->ready = 1;
	int stopped;
	while ((stopped = wait_for_stop(thread)) >= 0 && stopped != SIGTRAP)
		ptrace(PTRACE_CONT, thread, NULL, (void *)(long)stopped);
	if (stopped < 0 || pass_trap(thread))
		s->stop = BA_STOP_LOST;
	else
		step_through(c, thread);
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
}

/* Waits for the tracer; neither side waits for a process that died. */
static bool tracer_is_ready(const ba_counter_shared *s, pid_t tracer)
{
	while (s->ready == 2) {
		pid_t ended = waitpid(tracer, NULL, WNOHANG);
		if (ended == tracer || (ended < 0 && errno != EINTR))
			return s->ready != 2;
		usleep(100);
	}
	return true;
}

static uint64_t run_ptrace(ba_counter *c, const ba_counter_call *call)
{
	ba_counter_shared *s = c->shared;
	pid_t thread = (pid_t)syscall(SYS_gettid), parent = getpid();
	s->ready = 0;
	pid_t tracer = fork();
	if (tracer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (s->ready == 0 && getppid() == parent)
			usleep(100); /* until it may */
		if (getppid() == parent)
			trace(c, thread);
		syscall(SYS_exit_group, 0); /* the copy of another program */
	}
	if (tracer < 0) {
		s->error = errno;
		s->stop = BA_STOP_DENIED;
		return 0;
	}
	prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
	s->ready = 2;
	uint64_t result = 0;
	if (!tracer_is_ready(s, tracer))
		s->stop = BA_STOP_LOST;
	else if (s->stop != BA_STOP_DENIED)
		result = ba_counter_traced(call);
	while (waitpid(tracer, NULL, 0) < 0 && errno == EINTR)
		;
	prctl(PR_SET_PTRACER, 0, 0, 0, 0);
	return result;
}

static int open_ptrace(ba_counter *c, ba_error *err)
{
	return 0;
}

#else

static int open_ptrace(ba_counter *c, ba_error *err)
{
	return ba_fail(err, BA_EUNSUPPORTED, "instructions are counted on x86-64 and AArch64 only");
}

static uint64_t run_ptrace(ba_counter *c, const ba_counter_call *call)
{
	c->shared->stop = BA_STOP_LOST;
	return 0;
}

#endif

static void close_ptrace(ba_counter *c) {}

const ba_counter_row ba_counter_ptrace = {
	.name = "ptrace",
	.has_addresses = true,
	.open = open_ptrace,
	.close = close_ptrace,
	.run = run_ptrace,
};
