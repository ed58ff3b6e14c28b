/*
 * A lock file: flock on a file that says who holds it. The lock ends with its process,
 * so a kill leaves a file but no lock. Whoever holds it exclusively may remove the
 * file; therefore a lock counts only while its path still leads to the locked file.
 */
#ifndef GIT_LOCK_H
#define GIT_LOCK_H

#include <stdbool.h>

#include "base/error.h"

typedef struct ba_lock {
	int fd; /* -1: not held */
	char *path;
} ba_lock;

#define BA_LOCK_NONE ((ba_lock){.fd = -1})

/* Does not wait: *busy is true, and nothing is held, if another one holds it. */
int ba_lock_try(ba_lock *out, bool *busy, const char *path, bool shared, ba_error *err);
/* From exclusive to shared. Not one step for the system: someone else may have had it
 * exclusively in between, so look again at what it protects. */
int ba_lock_share(ba_lock *lock, ba_error *err);
/* From shared to exclusive, at once or not at all (then it is still shared, or lost).
 */
bool ba_lock_upgrade(ba_lock *lock);
/* Remove the file too; only with the lock held exclusively. */
void ba_lock_remove(ba_lock *lock);
void ba_lock_release(ba_lock *lock);

/* "pid 123" of the process that last took it exclusively, "another process" if unknown
 */
char *ba_lock_owner(const char *path);

#endif
