/* Which device code do the variants run? */
#pragma once

#include "session/session.h"

/* Puts the device code of a plugin's benchmarks into result->benchmarks if it can be
 * determined and there is a variant to compare with. An error means that the run was
 * interrupted. */
int ba_session_inspect(ba_session *s, ba_error *err);
