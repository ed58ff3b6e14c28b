/*
 * The worker's ends of the two pipes to its host.
 *
 * Variants run in this process. A variant may close all descriptors and then open a
 * file, which gets the number of one of these pipes. A message written to that number
 * would land in the file. So the worker checks each end before it uses it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct ba_channel {
	int fd;
	dev_t device;
	ino_t inode;
} ba_channel;

/* Remembers the pipe behind `fd`, and keeps it from processes that a variant starts. -1
 * with errno: fd is not open. */
int ba_channel_init(ba_channel *c, int fd);
/* Is it still the same pipe? */
bool ba_channel_is_ours(const ba_channel *c);
