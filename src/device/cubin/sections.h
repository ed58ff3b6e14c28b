/* What the sections of a cubin are. They have the name of their function as a suffix:
 * .text.K, .nv.info.K, .nv.constant0.K, .nv.shared.K, ... Internal to this module. */
#ifndef CUBIN_SECTIONS_H
#define CUBIN_SECTIONS_H

#include "cubin/elf.h"

typedef enum ba_role {
	BA_ROLE_IGNORED,
	BA_ROLE_TEXT,	/* machine code of a function */
	BA_ROLE_CODE,	/* constants of a function */
	BA_ROLE_INFO,	/* records: of a function, or of all */
	BA_ROLE_LIMITS, /* counts as the records of a function */
	BA_ROLE_SHARED,
	BA_ROLE_MEMORY, /* variables */
	BA_ROLE_SLOTS,	/* constant bank 4 */
	BA_ROLE_COMMON,
	BA_ROLE_MERCURY, /* a second form of the code, for other GPUs */
	BA_ROLE_RELOCATIONS,
	BA_ROLE_UNKNOWN,
} ba_role;

ba_role ba_section_role(const ba_elf *f, size_t section);
/* Does the section belong to the function whose name its own ends with? */
bool ba_section_is_owned(const ba_elf *f, size_t section);
/* where the function's name begins in the section's: behind ".nv.info." or ".text." */
size_t ba_section_base(const char *name);

#endif
