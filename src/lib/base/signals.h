/* Names of signals. sigabbrev_np() has them, but only from glibc 2.32 on. */
#pragma once

/* "SEGV" of 11; NULL if the number is no signal with a name. For x86-64 and aarch64. */
const char *ba_signal_name(int number);
