/* Names of signals. sigabbrev_np() has them, but only from glibc 2.32 on. */
#pragma once

/* "SEGV" of 11, on x86-64 and aarch64; NULL if the signal has no name */
const char *ba_signal_name(int number);
