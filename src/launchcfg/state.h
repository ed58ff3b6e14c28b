/*
 * What a thread knows about its launch in progress. There are three implementations,
 * one in each build (-DLAUNCHCFG_STATE=baseline|contextvar|v2). The branches of
 * `bench-against demo` compare what they cost.
 *
 *              launch                        compile (inside some launches)
 *   enter ─────────────────────────────────────────────────── leave
 *              compile_enter ──── generator ──── compile_leave
 *
 * Both pairs nest. Each leave restores what its enter saved.
 */
#pragma once

#include "common.h"

/* A compilation in progress in this thread; it lies on the thread's stack. */
typedef struct lcfg_frame {
	lcfg_dispatcher *dispatcher;
	const lcfg_config *config; /* NULL: compiled ahead of time */
	bool sensitive;
} lcfg_frame;

typedef struct lcfg_state_saved {
	const void *slot[2];
} lcfg_state_saved;

/* On the hot path of every launch. Returns 0, or another number: out of memory. */
int lcfg_state_enter(lcfg_state_saved *saved, const lcfg_config *config, const lcfg_args *args);
void lcfg_state_leave(const lcfg_state_saved *saved);

int lcfg_state_compile_enter(lcfg_state_saved *saved, lcfg_frame *frame);
void lcfg_state_compile_leave(const lcfg_state_saved *saved);

const lcfg_config *lcfg_state_config(void);
const lcfg_args *lcfg_state_args(void);
lcfg_frame *lcfg_state_frame(void);
