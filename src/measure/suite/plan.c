#include "suite/plan.h"

static void add_number(ba_sha256 *s, uint64_t n)
{
	unsigned char bytes[8];
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(n >> (8 * i));
	ba_sha256_add(s, bytes, sizeof(bytes));
}

static void add(ba_sha256 *s, const ba_benchmark *b)
{
	ba_sha256_add_string(s, b->suite ? b->suite : "");
	ba_sha256_add_string(s, b->id);
	ba_sha256_add_string(s, b->path ? b->path : "");
	add_number(s, b->args);
	add_number(s, b->arg_bytes);
	add_number(s, b->loops);
}

void ba_plan_sha256(char out[65], const ba_benchmark *benchmarks, size_t count, const char *rules)
{
	ba_sha256 s;
	ba_sha256_init(&s);
	ba_sha256_add_string(&s, "bench-against.plan/1");
	ba_sha256_add_string(&s, rules);
	add_number(&s, count);
	for (size_t i = 0; i < count; i++)
		add(&s, &benchmarks[i]);
	ba_sha256_hex(&s, out);
}
