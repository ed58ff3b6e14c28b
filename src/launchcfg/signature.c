#include "common.h"

#define POINTER_BIT 0x80000000u
#define STARS 0xf0000000u /* of a pointer */

size_t lcfg_type_size(lcfg_type type)
{
	return type & POINTER_BIT ? sizeof(void *) : type & 0xffffffu;
}

static const char *scalar_name(lcfg_type type)
{
	static const struct {
		lcfg_type type;
		const char *name;
	} rows[] = {{LCFG_I8, "signed char"}, {LCFG_I16, "short"}, {LCFG_I32, "int"},
		{LCFG_I64, "long long"}, {LCFG_U8, "unsigned char"}, {LCFG_U16, "unsigned short"},
		{LCFG_U32, "unsigned int"}, {LCFG_U64, "unsigned long long"}, {LCFG_F32, "float"},
		{LCFG_F64, "double"}, {LCFG_TYPE(LCFG_KIND_VOID, 0), "void"}};
	type = type & POINTER_BIT ? type & ~STARS : type;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == type)
			return rows[i].name;
	return NULL;
}

size_t lcfg_type_name(char *out, size_t size, lcfg_type type)
{
	char stars[16] = "";
	if (type & POINTER_BIT)
		snprintf(stars, sizeof(stars), " %.*s", (int)(type >> 28) - 7, "********");
	const char *name = scalar_name(type);
	int n = name ? snprintf(out, size, "%s%s", name, stars)
		     : snprintf(out, size, "bytes<%u>%s", type & 0xffffffu, stars);
	return (size_t)n;
}

size_t lcfg_signature_name(char *out, size_t size, lcfg_signature sig)
{
	size_t n = 0;
	if (!sig.types)
		sig.count = 0;
	for (size_t i = 0; i < sig.count + 2; i++) {
		char piece[64];
		if (i == 0)
			snprintf(piece, sizeof(piece), "(");
		else if (i == sig.count + 1)
			snprintf(piece, sizeof(piece), ")");
		else
			lcfg_type_name(piece, sizeof(piece), sig.types[i - 1]);
		n += (size_t)snprintf(n < size ? out + n : NULL, n < size ? size - n : 0, "%s%s",
			i > 1 && i <= sig.count ? ", " : "", piece);
	}
	return n;
}
