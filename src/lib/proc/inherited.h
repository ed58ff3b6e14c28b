/* What a process inherits from the one that started it, set to what this tool relies on. */
#pragma once

/* The first call of main() in each program:
 *
 *  - No signal is blocked, and only the signals that a shell or nohup ignores for its
 *    jobs (SIGHUP, SIGINT, SIGQUIT, SIGTERM, stops of a terminal) may stay ignored.
 *    While SIGCHLD is ignored, the kernel throws exit statuses away.
 *  - Descriptors 0 to 2 are open, so that no file of ours gets one of these numbers.
 *    Reading a closed standard input and writing to a closed standard output still
 *    fail; what is written to a closed standard error is lost.
 *  - The umask lets the owner read, write and enter what we make. */
void ba_inherited_settle(void);
