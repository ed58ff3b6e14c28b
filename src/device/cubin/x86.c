#include "cubin/cubin.h"

/* What follows an opcode: '.' nothing; m ModRM; immediates: b of 1 byte, z of 4 (or 2), v of 8 (or
 * as z); B, Z: ModRM, then b or z; g, G: the same for the first two of their group; r a distance
 * of 4 bytes; x: no compiler writes it, or it is read elsewhere */
static const char one_byte[16][17] = {
	"mmmmbzxxmmmmbzxx", /* and the next three */
	[4] = "xxxxxxxxxxxxxxxx",
	"................",
	"xxxmxxxxzZbB....",
	"bbbbbbbbbbbbbbbb",
	"BZxBmmmmmmmmmmmx",
	"..........x.....",
	"xxxx....bz......",
	"bbbbbbbbvvvvvvvv",
	"BBx.xxBZx.x..bx.",
	"mmmmxxx.mmmmmmmm",
	"bbbbbbbbrrxb....",
	"x.xx..gG......mm",
};
/* rows that are not here: m */
static const char two_bytes[16][17] = {
	[0] = "mmmmx.....x.xm.B",
	[2] = "mmmmxxxxmmmmmmmm",
	[3] = "......x.xxxxxxxx",
	[7] = "BBBBmmm.mmxxmmmm",
	[8] = "rrrrrrrrrrrrrrrr",
	[10] = "...mBmxx...mBmmm",
	[11] = "mmmmmmmmmmBmmmmm",
	[12] = "mmBmBBBm........",
};

static char behind_0f(unsigned opcode)
{
	const char *row = two_bytes[opcode >> 4];
	return *row ? row[opcode & 15] : 'm';
}

typedef struct reader {
	const unsigned char *code;
	size_t at, most;
	bool wide, narrow; /* REX.W, prefix 66 */
} reader;

static unsigned take(reader *r)
{
	return r->at < r->most ? r->code[r->at++] : (r->at++, 0);
}

static void prefixes(reader *r)
{
	static const unsigned char legacy[] = {
		0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
	while (r->at < r->most && memchr(legacy, r->code[r->at], sizeof(legacy)))
		r->narrow |= take(r) == 0x66;
	if (r->at < r->most && r->code[r->at] >> 4 == 4)
		r->wide = take(r) & 8;
}

/* The class of the opcode, which follows VEX or EVEX: no instruction of these has a distance. */
static char vector_class(reader *r, unsigned first)
{
	unsigned map = 1, opcode;
	if (first != 0xc5)
		map = take(r) & (first == 0x62 ? 7 : 31);
	take(r);
	if (first == 0x62)
		take(r);
	opcode = take(r);
	char class = map == 1 ? behind_0f(opcode) : map == 3 ? 'B' : 'm';
	if (map == 0 || map == 4 || map > 6 || (first != 0x62 && map > 3))
		return 'x';
	return class == 'r' || (class == '.' && opcode != 0x77) ? 'x' : class;
}

static char class_of(reader *r)
{
	unsigned opcode = take(r);
	if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62)
		return vector_class(r, opcode);
	if (opcode != 0x0f)
		return one_byte[opcode < 0x40 ? 0 : opcode >> 4][opcode & 15];
	opcode = take(r);
	if (opcode != 0x38 && opcode != 0x3a)
		return behind_0f(opcode);
	take(r);
	return opcode == 0x3a ? 'B' : 'm';
}

/* ModRM, SIB and displacement; its middle bits: an opcode, too */
static unsigned modrm(reader *r, size_t *relative)
{
	unsigned byte = take(r), mode = byte >> 6, base = byte & 7;
	if (mode == 3)
		return byte >> 3 & 7;
	if (base == 4)
		base = (take(r) & 7) == 5 ? 8 : 0;
	if (mode == 0 && base == 5)
		*relative = r->at;
	r->at += mode == 1 ? 1 : mode == 2 || base == 5 || base == 8 ? 4 : 0;
	return byte >> 3 & 7;
}

size_t ba_x86_length(size_t *relative, const unsigned char *code, size_t most)
{
	reader r = {.code = code, .most = most};
	*relative = 0;
	prefixes(&r);
	char class = class_of(&r);
	size_t z = r.narrow && !r.wide ? 2 : 4;
	if (class == 'x')
		return 0;
	if (strchr("mBZgG", class)) {
		bool first_two = modrm(&r, relative) < 2;
		class = class == 'B' || (class == 'g' && first_two)   ? 'b'
			: class == 'Z' || (class == 'G' && first_two) ? 'z'
								      : '.';
	}
	if (class == 'r')
		*relative = r.at;
	r.at += class == 'b'   ? 1
		: class == 'z' ? z
		: class == 'v' ? (r.wide ? 8 : z)
		: class == 'r' ? 4
			       : 0;
	return r.at <= most ? r.at : 0;
}
