/* What passes from one process to another: open descriptors over a socket that both have, and what
 * a program inherits from the process that started it. */
#pragma once

#include "base/base.h"

/* Two ends that are closed on exec. */
int ba_handover_pair(int ends[2], ba_error *err);
/* `fd` stays the caller's. BA_EWORKER: the other end is closed. */
int ba_handover_send(int end, int fd, ba_error *err);
/* *fd: the caller closes it. BA_ETIMEOUT; BA_EWORKER: the other end is closed, or sent
 * something else. */
int ba_handover_receive(int *fd, int end, int64_t timeout_ns, ba_error *err);

/* The first call of main() in each program sets what it inherited to what this tool relies on:
 *
 *  - No signal is blocked, and only the signals that a shell or nohup ignores for its
 *    jobs (SIGHUP, SIGINT, SIGQUIT, SIGTERM, stops of a terminal) may stay ignored.
 *    While SIGCHLD is ignored, the kernel throws exit statuses away.
 *  - Descriptors 0 to 2 are open, so that no file of ours gets one of these numbers.
 *    Reading a closed standard input and writing to a closed standard output still
 *    fail; what is written to a closed standard error is lost.
 *  - The umask lets the owner read, write and enter what we make. */
void ba_inherited_settle(void);
