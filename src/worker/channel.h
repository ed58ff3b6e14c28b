/*
 * The worker's ends of the two pipes to its host.
 *
 * Variants run in this process. One that closes what descriptors it finds, and then
 * opens a file, gets the number of ours: what is written there afterwards lands in its
 * file. So each end is compared with what it was before it is used.
 */
#ifndef WORKER_CHANNEL_H
#define WORKER_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ba_channel {
	int fd;
	dev_t device;
	ino_t inode;
} ba_channel;

/* Takes note of the pipe behind `fd`, and keeps it from processes that a variant
 * starts. -1 with errno: there is none. */
int ba_channel_init(ba_channel *c, int fd);
/* Is it still the same pipe? */
bool ba_channel_is_ours(const ba_channel *c);

#endif
