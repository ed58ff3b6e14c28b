#include <string.h>

#include "counter/row.h"

#ifdef __x86_64__
/* `syscall`, about to be executed at that address of this process? */
__attribute__((no_sanitize("address", "undefined"))) static bool is_syscall(uint64_t at)
{
	const volatile unsigned char *code = (const unsigned char *)(uintptr_t)at;
	return code[0] == 0x0f && code[1] == 0x05;
}
#define SYSCALL_BYTES 2u
#endif

size_t ba_counter_normalise(uint64_t *addresses, size_t n, size_t room)
{
	size_t kept = 0, missing = 0;
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || addresses[kept - 1] != addresses[i])
			addresses[kept++] = addresses[i];
#ifdef __x86_64__
	/* The kernel returns with the flag set, and the trap comes after the next
	 * instruction. */
	for (size_t i = 0; i + 1 < kept; i++)
		missing += is_syscall(addresses[i]) &&
			   addresses[i + 1] != addresses[i] + SYSCALL_BYTES;
	if (missing == 0 || kept + missing > room)
		return kept;
	size_t to = kept + missing;
	for (size_t i = kept; i-- > 0;) {
		bool adds = i + 1 < kept && is_syscall(addresses[i]) &&
			    addresses[to] != addresses[i] + SYSCALL_BYTES;
		uint64_t here = addresses[i];
		if (adds)
			addresses[--to] = here + SYSCALL_BYTES;
		addresses[--to] = here;
	}
	return kept + missing;
#else
	(void)room;
	return kept + missing;
#endif
}
