#include "cubin/cubin.h"

#define OPCODE 0xfffu
#define OP_LDC 0xb82u	  /* constant by an address of which a register is a part */
#define OP_ULDC 0xabbu	  /* the same, by a uniform register */
#define OP_LDCU 0x7acu	  /* the same, from 10.0 on */
#define OP_BARRIER 0x11du /* without its form: the number of a barrier is at BANK */
#define OP_MOVE 0x802u	  /* a register = 32 bits */
#define OP_NOP 0x918u
#define OP_LOAD 0x983u	/* of local memory */
#define OP_STORE 0x387u /* to local memory */
#define NO_REGISTER 0xffu
#define LOOK_BACK 64

typedef struct instruction {
	uint64_t low, high;
} instruction;

static instruction read_at(const unsigned char *code, size_t at)
{
	instruction i;
	memcpy(&i.low, code + at, sizeof(i.low));
	memcpy(&i.high, code + at + sizeof(i.low), sizeof(i.high));
	return i;
}

static unsigned field(uint64_t word, unsigned shift, unsigned bits)
{
	return (unsigned)(word >> shift & (((uint64_t)1 << bits) - 1));
}

/* "MOV R0, 0x28" before "LDC.64 R2, c[0x4][R0]": compilers address functions so. That
 * another instruction between them sets R0 is not looked for: within one module equal
 * offsets still count as equal, and different ones as different. */
static void find_move(ba_constant *c, const unsigned char *code, size_t at, unsigned reg)
{
	for (size_t back = 1; back <= LOOK_BACK && back * BA_SASS_BYTES <= at; back++) {
		size_t place = at - back * BA_SASS_BYTES;
		instruction i = read_at(code, place);
		if (field(i.low, 16, 8) == reg && field(i.low, 0, 16) == (0x7000 | OP_MOVE)) {
			*c = (ba_constant){.bank = c->bank,
				.offset = field(i.low, 32, 32),
				.at = place,
				.shift = 32,
				.bits = 32};
			return;
		}
	}
}

bool ba_sass_constant(ba_constant *out, const unsigned char *code, size_t at)
{
	instruction i = read_at(code, at);
	unsigned op = field(i.low, 0, 12), form = op >> 9, reg = field(i.low, 24, 8);
	if ((form != 3 && form != 5) || (op & 0x1ff) == OP_BARRIER)
		return false;
	bool wide = op == OP_LDCU;
	ba_constant c = {.bank = field(i.low, 54, 5), .at = at, .shift = wide ? 37 : 38};
	c.bits = 54 - c.shift;
	c.offset = field(i.low, c.shift, c.bits);
	c.is_indexed = op == OP_ULDC || ((op == OP_LDC || wide) && reg != NO_REGISTER);
	if (op == OP_LDC && c.is_indexed && field(i.high, 14, 2) != 0)
		c.bank = BA_BANK_ANY;
	else if (op == OP_LDC && c.is_indexed && c.offset == 0)
		find_move(&c, code, at, reg);
	*out = c;
	return true;
}

void ba_sass_clear(unsigned char *code, const ba_constant *c)
{
	uint64_t word;
	memcpy(&word, code + c->at, sizeof(word));
	word &= ~((((uint64_t)1 << c->bits) - 1) << c->shift);
	memcpy(code + c->at, &word, sizeof(word));
}

void ba_sass_count(ba_kernel_metrics *m, const unsigned char *code, size_t bytes)
{
	static const unsigned widths[8] = {1, 1, 2, 2, 4, 8, 16, 0};
	uint32_t n = 0, used = 0;
	for (size_t at = 0; at + BA_SASS_BYTES <= bytes; at += BA_SASS_BYTES) {
		instruction i = read_at(code, at);
		unsigned op = field(i.low, 0, 12), width = widths[field(i.high, 9, 3)];
		n++;
		if (op != OP_NOP)
			used = n;
		if (op == OP_LOAD) {
			m->local_loads++;
			m->local_load_bytes += width;
		} else if (op == OP_STORE) {
			m->local_stores++;
			m->local_store_bytes += width;
		}
	}
	m->instructions += used;
}
