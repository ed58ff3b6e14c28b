/*
 * The operation of an instruction without its operands, because operands such as
 * addresses differ between builds of the same source.
 */

#include "profile/elf.h"

static bool is_prefix(unsigned char byte)
{
	static const unsigned char legacy[] = {
		0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65};
	return memchr(legacy, byte, sizeof(legacy)) || (byte & 0xf0) == 0x40;
}

/* Vector instructions: the number of prefix bytes before the opcode. */
static size_t vector_prefix(unsigned char byte)
{
	return byte == 0xc5 ? 2 : byte == 0xc4 ? 3 : byte == 0x62 ? 4 : 0;
}

/* A near jump is the same operation as a short one. */
static unsigned same_jump(unsigned opcode)
{
	if (opcode >= 0x0f80 && opcode <= 0x0f8f)
		return opcode - 0x0f80 + 0x70;
	return opcode == 0xe9 ? 0xeb : opcode;
}

/* Some opcodes are completed by the next byte: f7 is a multiplication or a division. */
static bool is_group(unsigned opcode)
{
	static const unsigned char groups[] = {
		0x80, 0x83, 0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3, 0xf6, 0xf7, 0xfe, 0xff};
	return opcode < 0x100 && memchr(groups, (int)opcode, sizeof(groups));
}

static unsigned x86_opcode(const unsigned char *at, size_t room)
{
	size_t i = 0;
	while (i < room && is_prefix(at[i]))
		i++;
	size_t vector = i < room ? vector_prefix(at[i]) : 0;
	i += vector;
	if (i + 2 > room)
		return 0;
	if (!vector && at[i] == 0x0f)
		/* loops are aligned with NOPs of different lengths, which are executed */
		return at[i + 1] == 0x1f ? 0x90 : same_jump(0x0f00u | at[i + 1]);
	/* the size of a constant belongs to the operands */
	unsigned opcode = !vector && at[i] == 0x81 ? 0x83 : same_jump(at[i]);
	return !vector && is_group(opcode) ? 0x10000u | opcode << 8 | (at[i + 1] & 0x38) : opcode;
}

unsigned ba_elf_opcode(const ba_elf *e, uint64_t offset)
{
	GElf_Ehdr h;
	if (!e->elf || offset >= e->size || !gelf_getehdr(e->elf, &h))
		return 0;
	const unsigned char *at = e->image + offset;
	size_t room = e->size - (size_t)offset;
	if (h.e_machine == EM_X86_64)
		return x86_opcode(at, room);
	/* one word per instruction: its class and operation */
	return room >= 4 ? at[3] : 0;
}
