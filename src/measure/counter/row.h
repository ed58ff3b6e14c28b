/* Declarations shared by the ways of counting. Only for this module. */
#pragma once

#include "base/base.h"

/* of counter/counter.h */
typedef struct ba_counter ba_counter;
typedef struct ba_counter_call ba_counter_call;

/* Why a call was not counted completely; 0: it was. The order is that of the sentences. */
typedef enum ba_counter_stop {
	BA_STOP_NONE,
	BA_STOP_STARTS, /* fork, clone */
	BA_STOP_HANDLER,
	BA_STOP_RAISES, /* SIGTRAP by itself */
	BA_STOP_MOST,
	BA_STOP_LOST, /* stepping ended before the call did */
	BA_STOP_DENIED,
} ba_counter_stop;

typedef struct ba_counter_row {
	const char *name;
	bool has_addresses;
	/* allocates what it needs; BA_EUNSUPPORTED */
	int (*open)(ba_counter *c, ba_error *err);
	void (*close)(ba_counter *c);
	/* makes the call; sets used, total (all counted instructions) and stop */
	uint64_t (*run)(ba_counter *c, const ba_counter_call *call);
} ba_counter_row;

/* Shared memory, because the tracer is another process. */
typedef struct ba_counter_shared {
	volatile bool active;
	volatile uint64_t used;	   /* addresses */
	volatile uint64_t repeats; /* of string instructions */
	volatile ba_counter_stop stop;
	volatile int error; /* errno of a tracer without permission to trace */
	volatile int ready;
	uint64_t most; /* limit for recorded addresses */
	/* the stack on which this thread's signal handlers run */
	char *stack, *stack_end;
	/* the thread's new signal mask without SIGTRAP, which the system call gets */
	uint64_t mask;
} ba_counter_shared;

struct ba_counter {
	const ba_counter_row *row;
	ba_counter_shared *shared;
	uint64_t *addresses; /* [room] */
	size_t room;
	uint64_t most;
	uint64_t empty; /* count of an empty call, which has one instruction */
	int fd;		/* descriptor of a hardware counter */
	char *stack;
	struct ba_counter *quick;
	bool asked; /* for that one */
};

extern const ba_counter_row ba_counter_flag, ba_counter_ptrace, ba_counter_hardware;

/* The limit of repeats for each instruction of a call, because each repeat costs a
 * step. */
#define BA_COUNTER_REPEATS 4

/* Records the address of the next instruction; a repeating string instruction counts
 * once. Returns false beyond the limit. */
__attribute__((no_sanitize("address", "undefined", "thread"))) static inline bool ba_counter_note(
	ba_counter_shared *s, uint64_t *addresses, uint64_t at)
{
	uint64_t used = s->used;
	if (used && addresses[used - 1] == at) {
		s->repeats = s->repeats + 1;
		return s->repeats <= s->most * BA_COUNTER_REPEATS;
	}
	if (used == s->most)
		return false;
	addresses[used] = at;
	s->used = used + 1;
	return true;
}

#ifdef __x86_64__
/* Defines a function that makes a call: rdi is the ba_counter_call; returns rax.
 * `before` and `after` are the instructions around the call. */
#define BA_COUNTER_FUNCTION(name, before, after)                                  \
	__asm__(".text\n"                                                         \
		".type " name ", @function\n" name ":\n"                          \
		"\t.cfi_startproc\n"                                              \
		"\tpush %rbx\n"                                                   \
		"\t.cfi_adjust_cfa_offset 8\n"                                    \
		"\t.cfi_rel_offset %rbx, 0\n"                                     \
		"\tmov %rdi, %rbx\n"                                              \
		"\tmov 8(%rbx), %rdi\n"                                           \
		"\tmov 16(%rbx), %rsi\n"                                          \
		"\tmov 24(%rbx), %rdx\n"                                          \
		"\tmov (%rbx), %rbx\n"                                            \
		"\txor %eax, %eax\n" before "\tcall *%rbx\n" after "\tpop %rbx\n" \
		"\t.cfi_adjust_cfa_offset -8\n"                                   \
		"\tret\n"                                                         \
		"\t.cfi_endproc\n"                                                \
		".size " name ", .-" name "\n")
#endif

/* Adds, in place, the instructions after system calls that are missing. Returns the new
 * number of instructions, at most twice as many. */
size_t ba_counter_normalise(uint64_t *addresses, size_t n);
