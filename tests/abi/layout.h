#ifndef ABI_LAYOUT_H
#define ABI_LAYOUT_H

#include <stddef.h>

typedef struct abi_field {
	const char *name;
	size_t offset, size;
} abi_field;

extern const abi_field layout_first[], layout_today[];
extern const size_t layout_first_count, layout_today_count;
extern const unsigned layout_first_abi[2], layout_today_abi[2];

#ifdef ABI_FIRST
#define LAYOUT layout_first
#define LAYOUT_COUNT layout_first_count
#define LAYOUT_ABI layout_first_abi
#else
#define LAYOUT layout_today
#define LAYOUT_COUNT layout_today_count
#define LAYOUT_ABI layout_today_abi
#endif

#endif
