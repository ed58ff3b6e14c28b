/* The records of .nv.info (for all functions) and .nv.info.K (for one): what the driver
 * learns about code. A record has a format, an attribute, and a value. */

#include "cubin/cubin.h"

#define SIZED 4 /* format of records with a size and that many bytes */

enum {
	MAX_THREADS = 0x05,
	PARAM_BANK = 0x0a, /* begins with the number of a symbol */
	EXTERNS = 0x0f,	   /* numbers of symbols */
	REQUIRED_THREADS = 0x10,
	FRAME_SIZE = 0x11, /* this and the next three: number of a function's symbol, value */
	MIN_STACK_SIZE = 0x12,
	MAX_STACK_SIZE = 0x23,
	REGISTERS = 0x2f,
	MAX_REGISTERS = 0x1b,
	API_VERSION = 0x37, /* of the compiler: all kernels of a newer one have another */
	CLUSTER = 0x3d,
	BARRIERS = 0x4c,
	LAST_KNOWN = 0x6d, /* of CUDA 13.5 */
};

typedef struct record {
	unsigned format, attribute;
	const unsigned char *value;
	size_t bytes;
} record;

/* Those that no compiler documents, and those of texture references, which name symbols
 * by number. */
static bool is_known(unsigned attribute)
{
	static const unsigned char unknown[] = {
		0x02, 0x06, 0x07, 0x08, 0x09, 0x0e, 0x13, 0x56, 0x60, 0x63, 0x67};
	return attribute <= LAST_KNOWN && !memchr(unknown, (int)attribute, sizeof(unknown));
}

static uint32_t word(const record *r, size_t i)
{
	uint32_t value = 0;
	if ((i + 1) * sizeof(value) <= r->bytes)
		memcpy(&value, r->value + i * sizeof(value), sizeof(value));
	return value;
}

static void add_words(uint32_t out[3], const record *r)
{
	for (size_t i = 0; i < 3; i++)
		out[i] = word(r, i);
}

static void add_metrics(ba_kernel_metrics *m, const record *r)
{
	uint32_t bounds[3];
	switch (r->attribute) {
	case MAX_THREADS:
		add_words(bounds, r);
		m->max_threads = bounds[0] * bounds[1] * bounds[2];
		break;
	case REQUIRED_THREADS:
		add_words(m->required_threads, r);
		break;
	case CLUSTER:
		add_words(m->cluster, r);
		break;
	case MAX_REGISTERS:
		m->max_registers = r->value[0] == 0xff ? 0 : r->value[0];
		break;
	case BARRIERS:
		m->barriers = r->value[0];
		break;
	case REGISTERS:
		m->registers = word(r, 1);
		break;
	case FRAME_SIZE:
		m->frame_bytes = word(r, 1);
		break;
	}
}

static void add_record(ba_cubin *c, ba_sha256 *sum, const record *r)
{
	size_t skipped = r->attribute == PARAM_BANK && r->bytes > 4 ? 4 : 0;
	if (r->attribute == API_VERSION)
		return;
	ba_cubin_number(sum, r->format << 8 | r->attribute);
	ba_cubin_number(sum, r->bytes);
	if (r->attribute != EXTERNS) {
		ba_sha256_add(sum, r->value + skipped, r->bytes - skipped);
		return;
	}
	for (size_t i = 0; i < r->bytes / 4; i++) {
		BA_AUTO_FREE char *name =
			ba_kernel_canonical(ba_elf_symbol_name(&c->f, word(r, i)));
		ba_sha256_add_string(sum, name);
	}
}

static bool is_of_function(const record *r)
{
	return r->format == SIZED && r->bytes == 8 &&
	       (r->attribute == REGISTERS || r->attribute == FRAME_SIZE ||
		       r->attribute == MIN_STACK_SIZE || r->attribute == MAX_STACK_SIZE);
}

static void take(ba_cubin *c, size_t node, const record *r)
{
	char attribute[8];
	ba_sha256 *sum = node == BA_NO_NODE ? &c->common : &c->g.nodes[node].limits;
	if (node == BA_NO_NODE && is_of_function(r)) {
		uint32_t symbol = word(r, 0);
		node = symbol < c->f.symbol_count ? c->node_of_symbol[symbol] : BA_NO_NODE;
		if (node == BA_NO_NODE)
			return;
		sum = &c->g.nodes[node].limits;
		ba_cubin_number(sum, r->attribute);
		ba_cubin_number(sum, word(r, 1));
	} else if (is_known(r->attribute)) {
		add_record(c, sum, r);
	} else {
		snprintf(attribute, sizeof(attribute), "0x%02x", r->attribute);
		if (node == BA_NO_NODE)
			ba_cubin_open(c, "attribute", attribute);
		else
			ba_graph_open(&c->g, node, "its attribute %s is unknown", attribute);
	}
	if (node != BA_NO_NODE)
		add_metrics(&c->g.nodes[node].metrics, r);
}

int ba_cubin_info(ba_cubin *c, size_t node, size_t section, ba_error *err)
{
	const unsigned char *p = ba_elf_content(&c->f, section);
	size_t left = c->f.sections[section].sh_size;
	while (p && left >= 4) {
		uint16_t size;
		record r = {.format = p[0], .attribute = p[1], .value = p + 2, .bytes = 2};
		memcpy(&size, p + 2, sizeof(size));
		if (r.format == SIZED) {
			r.value = p + 4;
			r.bytes = size;
		}
		size_t bytes = 4 + (r.format == SIZED ? ((size_t)size + 3) & ~(size_t)3 : 0);
		if (r.format == 0 || r.format > SIZED || bytes > left)
			return ba_cubin_damaged(err);
		take(c, node, &r);
		p += bytes;
		left -= bytes;
	}
	return left ? ba_cubin_damaged(err) : 0;
}
