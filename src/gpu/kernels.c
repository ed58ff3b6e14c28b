#include "gpu/kernels.h"

/* gcc 12 has no #embed; the assembler's .incbin works with gcc and clang alike. The
 * byte after it makes the text a C string. */
#define EMBED(symbol, file)                                \
	__asm__(".pushsection .rodata\n"                   \
		".balign 16\n"                             \
		".hidden " #symbol "\n"                    \
		".globl " #symbol "\n" #symbol ":\n"       \
		".incbin \"" BA_KERNEL_DIR "/" file "\"\n" \
		".byte 0\n"                                \
		".popsection\n")

EMBED(ba_kernel_spin, "spin.ptx");
EMBED(ba_kernel_proof, "proof.ptx");
