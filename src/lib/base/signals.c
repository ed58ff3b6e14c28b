#include "base/signals.h"

#include <stddef.h>

#include "base/count.h"

const char *ba_signal_name(int number)
{
	static const char names[][8] = {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS",
		"FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD",
		"CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
		"WINCH", "POLL", "PWR", "SYS"};
	return number > 0 && number < (int)BA_COUNT(names) ? names[number] : NULL;
}
