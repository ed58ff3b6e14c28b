/* Determines which instructions of a call count, and in which scope. Only for this
 * module. */
#ifndef PROFILE_SCOPES_H
#define PROFILE_SCOPES_H

#include "profile/profile.h"

bool ba_profile_leaves_out(const ba_profile_side *side, const char *path);
ba_scope ba_profile_scope_of(const ba_profile_side *side, const char *path);
/* BA_EDATA: the trace has no addresses of the call */
int ba_profile_check(const ba_profile_side *side, ba_error *err);

#endif
