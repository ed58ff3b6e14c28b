/* The trap flag of x86-64: the processor raises a trap after each instruction, and the
 * kernel makes SIGTRAP of it. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "counter/counter.h"
#include "counter/row.h"

#ifdef __x86_64__

#define STACK_BYTES ((size_t)64 << 10)
#define TRAP_FLAG 0x100

/* the handler's only state: private to this process, and zero in its child processes */
static ba_counter_shared *state;
static uint64_t *noted;

/* Calls with the flag set. The flag takes effect one instruction after popf, so the
 * first trap comes after the call instruction, and the last one after the second
 * popf. */
uint64_t ba_counter_stepped(const ba_counter_call *call);
BA_COUNTER_FUNCTION("ba_counter_stepped",
	"\tpushfq\n"
	"\torq $0x100, (%rsp)\n"
	"\tpopfq\n",
	"\tpushfq\n"
	"\tandq $~0x100, (%rsp)\n"
	"\tpopfq\n"
	"\tnop\n");

/* Which system call the thread is about to make, if it ends the counting. */
static ba_counter_stop stop_of(greg_t *g)
{
	switch (g[REG_RAX]) {
	case SYS_clone:
	case SYS_fork:
	case SYS_vfork:
#ifdef SYS_clone3
	case SYS_clone3:
#endif
		return BA_STOP_STARTS;
	case SYS_rt_sigaction:
		return g[REG_RDI] == SIGTRAP && g[REG_RSI] ? BA_STOP_HANDLER : BA_STOP_NONE;
	default:
		return BA_STOP_NONE;
	}
}

/* If the thread blocked SIGTRAP, the next step would kill it: only the other signals of
 * its mask are blocked. */
static void keep_unblocked(greg_t *g)
{
	const uint64_t trap = (uint64_t)1 << (SIGTRAP - 1);
	if (g[REG_RAX] != SYS_rt_sigprocmask || g[REG_RDI] == SIG_UNBLOCK || !g[REG_RSI] ||
		g[REG_R10] != sizeof(uint64_t))
		return;
	state->mask = *(const uint64_t *)(uintptr_t)g[REG_RSI] & ~trap;
	g[REG_RSI] = (greg_t)(uintptr_t)&state->mask;
}

__attribute__((no_sanitize("address", "undefined", "thread"))) static void on_step(
	int signal, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *next = (const unsigned char *)(uintptr_t)g[REG_RIP];
	char *here = __builtin_frame_address(0);
	/* another thread, or a child process, has inherited the flag */
	if (!state->active || here < state->stack || here >= state->stack_end) {
		g[REG_EFL] &= ~(greg_t)TRAP_FLAG;
		return;
	}
	ba_counter_stop stop = BA_STOP_NONE;
	if (info->si_code != TRAP_TRACE && info->si_code != TRAP_BRKPT)
		stop = BA_STOP_RAISES;
	else if (!ba_counter_note(state, noted, (uint64_t)g[REG_RIP]))
		stop = BA_STOP_MOST;
	else if (next[0] == 0x0f && next[1] == 0x05)
		stop = stop_of(g);
	if (stop) {
		state->stop = stop;
		g[REG_EFL] &= ~(greg_t)TRAP_FLAG;
		return;
	}
	if (next[0] == 0x0f && next[1] == 0x05)
		keep_unblocked(g);
}

static int open_flag(ba_counter *c, ba_error *err)
{
	c->stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (c->stack == MAP_FAILED) {
		c->stack = NULL;
		return ba_fail_errno(err, BA_EIO, "memory for a signal's stack");
	}
	/* the function's child processes must not count: their page is zero */
	munmap(c->shared, sizeof(*c->shared));
	c->shared = mmap(NULL, sizeof(*c->shared), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED || madvise(c->shared, sizeof(*c->shared), MADV_WIPEONFORK)) {
		c->shared = c->shared == MAP_FAILED ? NULL : c->shared;
		return ba_fail_errno(err, errno == ENOMEM ? BA_EIO : BA_EUNSUPPORTED,
			"memory that a child process does not share");
	}
	c->shared->stack = c->stack;
	c->shared->stack_end = c->stack + STACK_BYTES;
	return 0;
}

static void close_flag(ba_counter *c)
{
	if (c->stack)
		munmap(c->stack, STACK_BYTES);
}

static uint64_t run_flag(ba_counter *c, const ba_counter_call *call)
{
	struct sigaction mine = {.sa_sigaction = on_step,
				 .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
			 theirs, now;
	stack_t stack = {.ss_sp = c->stack, .ss_size = STACK_BYTES}, their_stack;
	sigset_t trap, their_mask;
	sigemptyset(&mine.sa_mask);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	state = c->shared;
	noted = c->addresses;
	sigaltstack(&stack, &their_stack);
	sigaction(SIGTRAP, &mine, &theirs);
	pthread_sigmask(SIG_UNBLOCK, &trap, &their_mask);
	state->active = true;
	uint64_t result = ba_counter_stepped(call);
	state->active = false;
	sigaction(SIGTRAP, NULL, &now);
	if (!state->stop && now.sa_sigaction != on_step)
		state->stop = BA_STOP_HANDLER;
	pthread_sigmask(SIG_SETMASK, &their_mask, NULL);
	sigaction(SIGTRAP, &theirs, NULL);
	sigaltstack(&their_stack, NULL);
	return result;
}

#else

static int open_flag(ba_counter *c, ba_error *err)
{
	return ba_fail(err, BA_EUNSUPPORTED, "this processor has no trap flag");
}

static void close_flag(ba_counter *c) {}

static uint64_t run_flag(ba_counter *c, const ba_counter_call *call)
{
	c->shared->stop = BA_STOP_LOST;
	return 0;
}

#endif

const ba_counter_row ba_counter_flag = {
	.name = "flag",
	.has_addresses = true,
	.open = open_flag,
	.close = close_flag,
	.run = run_flag,
};
