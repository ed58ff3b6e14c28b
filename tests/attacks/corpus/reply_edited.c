/*
 * family: replies forged
 * kind:   launcher
 * idea:   replaces write() in the table through which the worker calls it, and divides the
 *         times in its reports by 20
 * gate:   a visit whose reported time does not fill the time from request to reply is rejected
 */
#include "tricks.h"

static ssize_t edited(int fd, const void *data, size_t n)
{
	static char copy[1 << 20];
	static const char key[] = "\"ns\":[";
	if (n >= sizeof(copy) || fd > 9)
		return syscall(SYS_write, fd, data, n);
	memcpy(copy, data, n);
	copy[n] = '\0';
	char *at = strstr(copy, key);
	if (at && strstr(copy, "\"measured\"")) {
		evidence("edited a report");
		/* the same number of characters: leading blanks */
		for (at += sizeof(key) - 1; *at && *at != ']'; at += *at == ',') {
			char *end, digits[32];
			unsigned long long ns = strtoull(at, &end, 10);
			int width = (int)(end - at);
			snprintf(digits, sizeof(digits), "%*llu", width, ns / 20 + 1);
			memcpy(at, digits, (size_t)width);
			at = end;
		}
	}
	return syscall(SYS_write, fd, copy, n);
}

void attack_prepare(kernel *k)
{
	static int n;
	(void)k;
	if (!n) {
		n = got_replace("", dlsym(RTLD_DEFAULT, "write"), (void *)edited);
		if (n)
			evidence("replaced an entry");
		else
			evidence("found no entry");
	}
}
