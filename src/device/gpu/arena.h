/*
 * Device memory at an address that stays, whose contents another process chooses: an
 * arena is a range of addresses, and behind it lies physical memory that can be replaced.
 *
 *     one process                          another process
 *     ba_arena_reserve                     ba_arena_reserve
 *     ba_arena_renew                       ba_arena_renew        (its own, to begin with)
 *       writes at arena.at
 *     ba_arena_export -> fd  ---sends-->   ba_arena_take(fd)
 *                                            the same bytes at its own arena.at
 *
 * The other process cannot see the memory before the descriptor arrives. Nothing is copied
 * then: mapping 64 MiB took 0.2 ms and 16 GiB 0.9 ms on an H200. A process that has taken
 * memory can keep it: renew the arena before you write what that process must not see.
 *
 * The last process that has a descriptor or a mapping pays for freeing the memory (10 to
 * 20 ms for 16 GiB). Close the descriptor and drop the arena where no time is measured.
 */
#pragma once

#include "gpu/driver.h"

typedef struct ba_arena {
	const ba_driver *driver;
	cu_device device;
	cu_deviceptr at;
	size_t bytes, step;	   /* bytes is a multiple of step, the driver's granularity */
	size_t backed;		   /* bytes from `at` that have memory */
	unsigned long long handle; /* of that memory */
} ba_arena;

/* BA_EUNSUPPORTED: the driver has no such memory. */
int ba_arena_reserve(
	ba_arena *out, const ba_driver *driver, cu_device device, size_t bytes, ba_error *err);
/* Maps new memory for the first bytes of the range; its contents are undefined. */
int ba_arena_renew(ba_arena *a, size_t bytes, ba_error *err);
/* *fd: the caller closes it. */
int ba_arena_export(int *fd, const ba_arena *a, ba_error *err);
/* Maps memory that another arena renewed with the same number of bytes. `fd` still belongs
 * to the caller. */
int ba_arena_take(ba_arena *a, int fd, size_t bytes, ba_error *err);
/* Unmaps the memory: reading it is then a GPU error. */
int ba_arena_drop(ba_arena *a, ba_error *err);
void ba_arena_free(ba_arena *a); /* zeroed is fine */
