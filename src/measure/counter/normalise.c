#include "counter/row.h"

#ifdef __x86_64__
/* Is there a `syscall` instruction at that address of this process? */
__attribute__((no_sanitize("address", "undefined"))) static bool is_syscall(uint64_t at)
{
	const volatile unsigned char *code = (const unsigned char *)(uintptr_t)at;
	return code[0] == 0x0f && code[1] == 0x05;
}
#define SYSCALL_BYTES 2u
#endif

size_t ba_counter_normalise(uint64_t *addresses, size_t n)
{
	size_t missing = 0;
#ifdef __x86_64__
	/* The kernel returns with the flag set, and the trap comes after the next
	 * instruction. */
	for (size_t i = 0; i + 1 < n; i++)
		missing += is_syscall(addresses[i]) &&
			   addresses[i + 1] != addresses[i] + SYSCALL_BYTES;
	if (missing == 0)
		return n;
	size_t to = n + missing;
	for (size_t i = n; i-- > 0;) {
		bool adds = i + 1 < n && is_syscall(addresses[i]) &&
			    addresses[to] != addresses[i] + SYSCALL_BYTES;
		uint64_t here = addresses[i];
		if (adds)
			addresses[--to] = here + SYSCALL_BYTES;
		addresses[--to] = here;
	}
#else
#endif
	return n + missing;
}
