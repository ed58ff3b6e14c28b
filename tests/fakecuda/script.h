/* The fake driver's script, parsed; see fake_cuda.h for what it may say. */
#ifndef FAKECUDA_SCRIPT_H
#define FAKECUDA_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum script_deed { DEED_FAIL, DEED_HANG, DEED_CRASH } script_deed;

typedef struct script_event {
	script_deed deed;
	char call[64];
	uint64_t at;	/* 1: the first call; 0: every call */
	uint64_t calls; /* so far */
	int result;
} script_event;

typedef struct script {
	int64_t launch_ns, drain_ns, depth, sync_ns, call_ns, clock_ns, event_tick_ns;
	int64_t jitter_ns, seed, idle_mhz, mhz, ramp_ms, memory, mps, l2_sticky, apart, devices;
	char name[128], lost[256];
	script_event events[32];
	size_t event_count;
} script;

/* text may be NULL: all defaults. false: not understood, with why in `problem`. */
bool script_parse(script *out, const char *text, char *problem, size_t size);

#endif
