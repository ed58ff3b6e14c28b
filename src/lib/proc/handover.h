/* Hands open descriptors to another process over a socket that both have. */
#pragma once

#include "base/base.h"

/* Two ends that are closed on exec. */
int ba_handover_pair(int ends[2], ba_error *err);
/* `fd` stays the caller's. BA_EWORKER: the other end is closed. */
int ba_handover_send(int end, int fd, ba_error *err);
/* *fd: the caller closes it. BA_ETIMEOUT; BA_EWORKER: the other end is closed, or sent
 * something else. */
int ba_handover_receive(int *fd, int end, int64_t timeout_ns, ba_error *err);
