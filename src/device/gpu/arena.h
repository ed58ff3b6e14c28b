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
 * then, so any size takes the same time. A process that has taken memory can keep it: renew
 * the arena before you write what that process must not see.
 */
#pragma once

#include "gpu/driver.h"

typedef struct ba_arena {
	const ba_driver *driver;
	cu_device device;
	cu_deviceptr at;
	size_t bytes;		   /* a multiple of the driver's granularity */
	unsigned long long handle; /* handle of the physical memory; valid if `backed` */
	bool backed;
} ba_arena;

/* BA_EUNSUPPORTED: the driver has no such memory. */
int ba_arena_reserve(
	ba_arena *out, const ba_driver *driver, cu_device device, size_t bytes, ba_error *err);
/* Maps new memory, whose contents are undefined. */
int ba_arena_renew(ba_arena *a, ba_error *err);
/* *fd: the caller closes it. */
int ba_arena_export(int *fd, const ba_arena *a, ba_error *err);
/* Maps the memory of another arena of the same size. `fd` still belongs to the caller. */
int ba_arena_take(ba_arena *a, int fd, ba_error *err);
/* Unmaps the memory: reading it is then a GPU error. */
int ba_arena_drop(ba_arena *a, ba_error *err);
void ba_arena_free(ba_arena *a); /* zeroed is fine */
