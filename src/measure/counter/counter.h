/*
 * Counts the instructions that one call of a function executes: in user mode, in the
 * calling thread, from the function's first instruction to its return.
 *
 *     ba_counter_open(&c, BA_COUNTER_FLAG, 1000000, &err);
 *     ba_counter_run(&counted, c, &(ba_counter_call){fn, {a, b}}, &err);
 *     counted.instructions, counted.addresses
 *     ba_counter_free(c);
 *
 * There are three ways, each a row in a file of its own:
 *
 *     flag       the processor's trap flag, on x86-64: SIGTRAP after each instruction,
 *                whose handler notes the next address (flag.c)
 *     ptrace     a child process that steps this thread (ptrace.c)
 *     hardware   the counter of retired instructions (hardware.c); no addresses
 *
 * They agree to the instruction: what surrounds the call is not counted, a string
 * instruction with a repeat prefix counts once, and an instruction that follows a system
 * call is counted though the trap flag skips it. An instruction of the counter itself is
 * never counted; each way measures an empty call when it is opened.
 *
 * One counter at a time may run in a process. It needs no privilege. While it runs, this
 * thread is 10,000 times slower: never read a clock then.
 */
#pragma once

#include "base/base.h"

typedef enum ba_counter_way {
	BA_COUNTER_FLAG,
	BA_COUNTER_PTRACE,
	BA_COUNTER_HARDWARE,
	BA_COUNTER_WAYS
} ba_counter_way;

/* A function and its arguments, all of them passed in general registers. */
typedef struct ba_counter_call {
	void (*function)(void); /* of any type */
	void *args[3];
} ba_counter_call;

typedef struct ba_counted {
	uint64_t instructions;
	uint64_t result; /* the function's return value, as in its register */
	/* address of each instruction, in the order of execution; NULL if unknown.
	 * Valid until the counter's next run. */
	const uint64_t *addresses;
} ba_counted;

typedef struct ba_counter ba_counter;

const char *ba_counter_way_name(ba_counter_way way);
/* "flag", "ptrace", "hardware", or "auto" for the first way with addresses that this
 * processor may have; -1: another word */
int ba_counter_way_from_name(const char *name);

/* most: the limit of instructions; counting stops there. BA_EUNSUPPORTED: this machine
 * cannot count in this way; the sentence says why. */
int ba_counter_open(ba_counter **out, ba_counter_way way, uint64_t most, ba_error *err);
/* The cost of counting one instruction in that way on this machine now, in nanoseconds;
 * 0: not supported. Takes about 30 ms. */
double ba_counter_step_ns(ba_counter_way way);
void ba_counter_free(ba_counter *c); /* NULL is fine */
/* The processor's counter, owned by c; NULL if there is none, or if c is one. It tells
 * without single-stepping whether the counts of a call repeat. */
ba_counter *ba_counter_quick(ba_counter *c);

/* Calls the function once; out->result is set also if it returns BA_EVARIANT. That
 * means that the function did something that cannot be counted. The sentence continues
 * "the call ...": "starts a process or a thread", "sets a handler for SIGTRAP".
 * out->instructions is more than `most` if that limit is the reason, else 0. */
int ba_counter_run(ba_counted *out, ba_counter *c, const ba_counter_call *call, ba_error *err);
