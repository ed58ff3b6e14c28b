/* Members that are processes of this host: one for each device. */
#pragma once

#include "cluster/member_source.h"

typedef struct ba_local_members ba_local_members;

/* No members yet; stop (may be NULL) must outlive them. */
ba_local_members *ba_local_members_new(const volatile sig_atomic_t *stop);
/* Ends those that still run, with SIGKILL. NULL is fine. */
BA_DECLARE_FREE(ba_local_members)

/* Starts a member with the environment of this process. Its output is kept separately,
 * for the sentence about how it ended. */
int ba_local_members_start(ba_local_members *c, const char *id, const ba_strv *argv, ba_error *err);
/* Borrows c. */
ba_member_source ba_local_members_source(ba_local_members *c);
