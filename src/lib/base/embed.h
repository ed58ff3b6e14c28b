/*
 * A file of the source tree as a C string in the program. gcc 12 has no #embed, but the
 * assembler's .incbin works with gcc and clang.
 *
 *     extern const char ba_page_css[];                      -- in a header
 *     BA_EMBED(ba_page_css, BA_ASSET_DIR "/page.css");      -- in one .c file
 *
 * cmake/embed.cmake names the folder and rebuilds the .c file when a file changes.
 */
#pragma once

/* the byte after the file makes the text a C string */
#define BA_EMBED(symbol, path)                       \
	__asm__(".pushsection .rodata\n"             \
		".balign 16\n"                       \
		".hidden " #symbol "\n"              \
		".globl " #symbol "\n" #symbol ":\n" \
		".incbin \"" path "\"\n"             \
		".byte 0\n"                          \
		".popsection\n")
