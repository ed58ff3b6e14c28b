/*
 * A lock file: flock on a file that says which process holds it. The lock ends with its
 * process, so a killed process leaves a file but no lock. The holder of an exclusive
 * lock may remove the file; so a lock counts only while its path leads to the locked
 * file.
 */
#pragma once

#include "base/base.h"

typedef struct ba_lock {
	int fd; /* -1: not held */
	bool exclusive;
	char *path;
} ba_lock;

#define BA_LOCK_NONE ((ba_lock){.fd = -1})

/* Does not wait: if another process holds it, *busy is true and nothing is held. */
int ba_lock_try(ba_lock *out, bool *busy, const char *path, bool shared, ba_error *err);
/* From exclusive to shared. The system does this in two steps: another process may have
 * held it exclusively in between, so check again what the lock protects. It waits for
 * such a process until a signal comes (BA_EINTERRUPTED). */
int ba_lock_share(ba_lock *lock, ba_error *err);
/* From shared to exclusive, at once or not at all. On failure it is shared as before. If
 * another process got it in between, it is lost: fd is -1. */
bool ba_lock_upgrade(ba_lock *lock);
/* Removes the file, too; only with the lock held exclusively. It is released even if
 * that fails (BA_EIO). */
int ba_lock_remove(ba_lock *lock, ba_error *err);
void ba_lock_release(ba_lock *lock); /* does nothing if it is not held */
BA_DEFINE_AUTO(ba_lock, ba_lock_release)

/* "pid 123" of the process that last held it exclusively, or "another process"; caller
 * frees. */
char *ba_lock_owner(const char *path);
