/* A variant's library, damaged in any way: its functions hold the addresses that they
 * are found by, and its lines are read or not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t ask(ba_elf *e, uint64_t address)
{
	const char *file;
	unsigned line;
	size_t read = 0;
	ba_elf_place at = ba_elf_find(e, address);
	if (at.low > address || (at.high <= address && at.high != UINT64_MAX))
		abort();
	if (at.kind == BA_ELF_FUNCTION)
		read += strlen(at.name);
	if (ba_elf_line(e, address, &file, &line))
		read += strlen(file);
	if (ba_elf_definition(e, at.low, &file, &line))
		read += strlen(file);
	return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO_FREE char *image = ba_xmemdup0(data, size);
	BA_AUTO_PTR(ba_elf) ba_elf *e = ba_elf_of_memory(image, size);
	uint64_t address;
	for (uint64_t offset = 0; offset < size; offset += 1 + size / 64) {
		(void)ba_elf_opcode(e, offset);
		if (ba_elf_address(e, offset, &address))
			ask(e, address);
	}
	ask(e, 0);
	ask(e, 0x1010);
	ask(e, UINT64_MAX);
	return 0;
}
