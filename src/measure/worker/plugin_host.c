/* What the tool offers to a plugin. The functions of the interface have no context
 * argument: one case at a time is set up, run or checked. */
#include "worker/worker.h"

#define GUARD 256u
#define GUARD_BYTE 0xa5
#define POISON 0xff
#define SKIPPED (-77)
#define CHUNK ((size_t)8 << 20)

static ba_worker *worker;
static ba_plugin_case *current;

void ba_plugin_current(ba_plugin_case *c)
{
	current = c;
}

/* ---- services ---- */

static void count(ba_suite_count what, double amount)
{
	if (current && (unsigned)what < 4 && amount >= 0 && amount < 1e300)
		current->counts[what] = amount;
}

static void use_stream(ba_suite_stream stream)
{
	if (current)
		current->stream = (cu_stream)stream;
}

static int skip(const char *reason)
{
	if (!current)
		return SKIPPED;
	ba_text_own(
		&current->skipped, ba_text_safe(reason && *reason ? reason : "no reason given"));
	return SKIPPED;
}

static size_t padded(size_t bytes)
{
	return (bytes + 255) & ~(size_t)255;
}

static int fill_block(const ba_plugin_block *b)
{
	const ba_driver *drv = &worker->driver;
	size_t tail = padded(b->bytes) - b->bytes + GUARD;
	cu_result r = drv->memset_d8(b->base, GUARD_BYTE, GUARD);
	r = r ? r : drv->memset_d8(b->address, POISON, b->bytes);
	r = r ? r : drv->memset_d8(b->address + b->bytes, GUARD_BYTE, tail);
	/* a memset is not waited for, and streams of ours do not wait for its stream */
	return r ? r : drv->ctx_synchronize();
}

size_t ba_plugin_lay_out(ba_plugin_block *layout, size_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		layout[i].base = at;
		at += padded(layout[i].bytes) + (size_t)2 * GUARD;
	}
	return at;
}

/* The first place that is free for such a block; NULL: there is none. */
static const ba_plugin_block *place_of(
	const ba_plugin_room *room, size_t bytes, ba_suite_memory kind, const char *name)
{
	for (size_t i = 0; room && i < room->count; i++) {
		const ba_plugin_block *b = &room->layout[i];
		bool same = b->bytes == bytes && strcmp(b->name, name) == 0 &&
			    (b->kind == BA_SUITE_INPUT) == (kind == BA_SUITE_INPUT);
		if (room->taken[i] || !same)
			continue;
		room->taken[i] = true;
		return b;
	}
	return NULL;
}

static int alloc(uint64_t *address, size_t bytes, ba_suite_memory kind, const char *name)
{
	if (!current || bytes == 0 || bytes > SIZE_MAX / 2)
		return BA_CU_INVALID_VALUE;
	BA_AUTO_FREE char *safe = ba_text_safe(name ? name : "");
	const ba_plugin_block *place = place_of(current->room, bytes, kind, safe);
	ba_plugin_block b = {.bytes = bytes, .kind = kind, .placed = place != NULL};
	cu_result r = 0;
	if (place)
		b.base = current->room->at + place->base;
	else
		r = worker->driver.mem_alloc(&b.base, padded(bytes) + (size_t)2 * GUARD);
	if (r)
		return r;
	b.address = b.base + GUARD;
	r = fill_block(&b);
	if (r) {
		if (!place)
			worker->driver.mem_free(b.base);
		return r;
	}
	b.name = BA_TAKE(safe);
	*BA_PUSH(current->blocks, current->block_count, current->block_capacity) = b;
	*address = b.address;
	return 0;
}

static int compare(const ba_suite_output *theirs)
{
	ba_suite_output output = {0}, *o = &output;
	if (!current)
		return 1;
	if (theirs && theirs->struct_size >= BA_SIZE_UP_TO(ba_suite_output, l2))
		ba_library_take(o, sizeof(*o), theirs, theirs->struct_size);
	size_t size = ba_plugin_type_bytes(o->type);
	ba_text_own(&current->wrong, NULL);
	if (!o->expected || size == 0 || o->count > SIZE_MAX / 16) {
		current->wrong = ba_xstrdup(
			"compare() was given no output that it understands (struct_size, type, expected)");
		return 1;
	}
	BA_AUTO_FREE unsigned char *data = ba_xcalloc(o->count + 1, size);
	cu_result r = worker->driver.memcpy_dtoh(data, o->address, o->count * size);
	if (r) {
		current->wrong = ba_xprintf("cuMemcpyDtoH of '%s' returned %s",
			o->name ? o->name : "", ba_driver_result_name(&worker->driver, r));
		return r;
	}
	return ba_plugin_compare(&current->wrong, o, data);
}

const ba_suite_host *ba_plugin_host(ba_worker *w)
{
	static ba_suite_host host;
	worker = w;
	host = (ba_suite_host){.abi = BA_SUITE_ABI,
		.struct_size = sizeof(host),
		.device = w->device.ordinal,
		.sm_arch = w->device.cc_major * 10 + w->device.cc_minor,
		.context = w->context,
		.driver_symbol = ba_worker_driver_symbol,
		.log = ba_worker_log,
		.count = count,
		.use_stream = use_stream,
		.skip = skip,
		.alloc = alloc,
		.compare = compare};
	return &host;
}

/* ---- memory ---- */

int ba_plugin_poison(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	BA_EACH (const ba_plugin_block, b, c->blocks, c->block_count) {
		if (b->kind == BA_SUITE_INPUT)
			continue;
		BA_DRIVER_TRY(
			&w->driver, err, "cuMemsetD8", memset_d8(b->address, POISON, b->bytes));
	}
	/* before the run that writes them: see fill_block() */
	BA_DRIVER_TRY(&w->driver, err, "cuCtxSynchronize", ctx_synchronize());
	return 0;
}

static bool is_intact(const unsigned char *guard, size_t n)
{
	return BA_ALL(guard, n, byte, *byte == GUARD_BYTE);
}

int ba_plugin_check_guards(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	unsigned char guard[2 * GUARD];
	BA_EACH (const ba_plugin_block, b, c->blocks, c->block_count) {
		size_t tail = padded(b->bytes) - b->bytes + GUARD;
		cu_result r = w->driver.memcpy_dtoh(guard, b->base, GUARD);
		bool before = r == 0 && is_intact(guard, GUARD);
		r = r ? r : w->driver.memcpy_dtoh(guard, b->address + b->bytes, tail);
		if (r)
			return ba_driver_fail(&w->driver, err, r, "cuMemcpyDtoH");
		if (!before || !is_intact(guard, tail))
			return ba_fail(err, BA_EVARIANT,
				"wrong answer: something was written %s of '%s'",
				before ? "beyond the end" : "before the beginning", b->name);
	}
	return 0;
}

int ba_plugin_digest(char out[65], ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	BA_AUTO_FREE unsigned char *chunk = ba_xmalloc(CHUNK);
	ba_sha256 sum;
	ba_sha256_init(&sum);
	BA_EACH (const ba_plugin_block, b, c->blocks, c->block_count) {
		for (size_t at = 0; b->kind == BA_SUITE_OUTPUT && at < b->bytes; at += CHUNK) {
			size_t n = b->bytes - at < CHUNK ? b->bytes - at : CHUNK;
			BA_DRIVER_TRY(&w->driver, err, "cuMemcpyDtoH",
				memcpy_dtoh(chunk, b->address + at, n));
			ba_sha256_add(&sum, chunk, n);
		}
	}
	ba_sha256_hex(&sum, out);
	return 0;
}

void ba_plugin_free_blocks(ba_worker *w, ba_plugin_case *c)
{
	BA_EACH (ba_plugin_block, b, c->blocks, c->block_count) {
		if (!w->lost && !b->placed)
			w->driver.mem_free(b->base);
		free(b->name);
	}
	free(c->blocks);
	c->blocks = NULL;
	c->block_count = c->block_capacity = 0;
}
