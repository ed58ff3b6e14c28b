/*
 * Runs a function of this program in a child process: optional work in foreign code, which may
 * crash, hang, run out of memory or end its process. Whatever happens to the child, this process
 * only learns that there is no answer.
 *
 * The child is a fork without an exec, so it sees what this process has in memory. It has no
 * descriptor of this process but standard ones, which are /dev/null.
 */
#pragma once

#include "base/base.h"

typedef struct ba_aside {
	/* appends its answer, in the child */
	void (*work)(ba_buf *answer, void *data);
	void *data;
	/* called in the child before `work`, to drop rights permanently; NULL: keep
	 * them */
	void (*confine)(void);
	int64_t limit_ns; /* limit of wall time, and of processor time */
	/* limit of address space beyond what this process has, in bytes */
	uint64_t more_memory;
	size_t ceiling; /* limit of the answer in bytes */
	const volatile sig_atomic_t *stop;
} ba_aside;

/* Appends the child's whole answer to *out. An error says how the child ended:
 *
 *     BA_EWORKER       it crashed, exited early, or its answer is too long
 *     BA_ETIMEOUT      it ran past the limit, and was killed
 *     BA_EINTERRUPTED  *stop became non-zero, and it was killed
 *     BA_EIO           it could not be started, or nobody knows how it ended
 */
int ba_aside_run(ba_buf *out, const ba_aside *a, ba_error *err);
