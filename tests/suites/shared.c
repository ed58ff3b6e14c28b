/* libshared.so.1: the part of a variant's build that its launcher library needs. */
#include <stdint.h>

__attribute__((visibility("default"))) int64_t shared_cost(void);

int64_t shared_cost(void)
{
	return COST;
}
