/*
 * The launch functions. With recording and capture off they leave the mark of the launch
 * and return at once: a dozen instructions, whose branches the processor predicts.
 * Everything else here runs outside of timed code.
 */

#include "nulldriver/parts.h"
#include "nulldriver/record.h"

static struct ba_host_record *recorder;
static launch_taker *taker; /* receives launches during a capture; NULL: no capture */
/* where launches are counted: in memory that nothing reads, or in the page of
 * ba_host_driver_witness() (record.h) */
static uint64_t unseen[3], *seen = unseen;
static ba_host_witness look; /* zero: arguments are not read */
static bool looking;
/* the same for the fast path; NULL if launches need the slow path */
static uint64_t *marks = unseen;

/* decides again whether launches must take the slow path */
static void choose_path(void)
{
	bool more = __atomic_load_n(&recorder, __ATOMIC_RELAXED) || taker;
	__atomic_store_n(&marks, more || look.bytes % 8 ? NULL : seen, __ATOMIC_RELEASE);
}

void launch_capture(launch_taker *captures)
{
	taker = captures;
	choose_path();
}

/* a requested launch, independent of the calling function */
typedef struct request {
	enum ba_host_record_api api;
	cu_function function;
	uint32_t grid[3], block[3];
	uint32_t shared_bytes, attribute_count;
	cu_stream stream;
	void **params, **extra;
} request;

API(ba_host_driver_record, struct ba_host_record *record)
{
	if (record && (record->abi != BA_HOST_RECORD_ABI || record->struct_size < sizeof(*record)))
		return -1;
	__atomic_store_n(&recorder, record, __ATOMIC_RELEASE);
	choose_path();
	return 0;
}

EXPORT void ba_host_driver_witness(uint64_t *page, const ba_host_witness *what);
EXPORT void ba_host_driver_witness(uint64_t *page, const ba_host_witness *what)
{
	looking = what != NULL;
	look = what ? *what : (ba_host_witness){0};
	seen = page ? page : unseen;
	choose_path();
}

static bool shape_is_legal(const request *q)
{
	uint64_t threads = (uint64_t)q->block[0] * q->block[1] * q->block[2];
	return q->grid[0] && q->grid[1] && q->grid[2] && q->grid[1] <= 65535 &&
	       q->grid[2] <= 65535 && q->grid[0] <= 0x7fffffffu && threads && threads <= 1024 &&
	       q->block[2] <= 64;
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* The word at `at` of argument i; bytes beyond the end of a packed buffer are zero. */
static uint64_t word_at(const request *q, uint32_t i, size_t at)
{
	size_t left = look.bytes - at, place = i * padded(look.bytes) + at, packed_bytes;
	const unsigned char *from = q->params ? (const unsigned char *)q->params[i] + at : NULL;
	uint64_t word = 0;
	if (!from) {
		const unsigned char *packed = cu_packed_params(q->extra, &packed_bytes);
		if (!packed || place >= packed_bytes)
			return 0;
		from = packed + place;
		left = left < packed_bytes - place ? left : packed_bytes - place;
	}
	memcpy(&word, from, left < 8 ? left : 8);
	return word;
}

/* leaves the marks outside the fast path */
static void leave_marks(const request *q)
{
	const uint32_t shape[] = {q->grid[0], q->grid[1], q->grid[2], q->block[0], q->block[1],
		q->block[2], q->shared_bytes};
	uint64_t sum = 0, digest = 0, before = seen[0]++;
	for (size_t i = 0; i < BA_COUNT(shape); i++)
		digest = BA_FOLD(digest, shape[i]);
	for (uint32_t i = 0; i < look.params; i++)
		for (size_t at = 0; at < look.bytes; at += 8) {
			uint64_t word = word_at(q, i, at);
			sum += word;
			digest = BA_FOLD(digest, word);
		}
	seen[1] += sum * (2 * before + 1);
	if (looking && before == look.moment)
		seen[2] += digest;
}

/* Copies each parameter's value to rec->data, if it fits. */
static cu_result copy_params(struct ba_host_record *rec, const request *q)
{
	size_t packed_bytes;
	const unsigned char *packed = cu_packed_params(q->extra, &packed_bytes);
	if (rec->param_count && !q->params && !packed)
		return BA_CU_INVALID_VALUE;
	rec->packed = !q->params && packed;
	rec->data_bytes = 0;
	size_t at = 0;
	for (uint32_t i = 0; i < rec->param_count; i++) {
		size_t bytes = rec->param_sizes[i];
		const void *value = rec->packed ? packed + at : q->params[i];
		if (!value || (rec->packed && at + bytes > packed_bytes))
			return BA_CU_INVALID_VALUE;
		if (rec->data && at + padded(bytes) <= rec->data_capacity) {
			memcpy(rec->data + at, value, bytes);
			memset(rec->data + at + bytes, 0, padded(bytes) - bytes);
			rec->data_bytes = at + padded(bytes);
		}
		at += padded(bytes);
	}
	return 0;
}

static cu_result check_and_copy(
	struct ba_host_record *rec, const request *q, const object *function)
{
	if (!function)
		return BA_CU_INVALID_HANDLE;
	if (!api_current_context())
		return BA_CU_INVALID_CONTEXT;
	if (!shape_is_legal(q))
		return BA_CU_INVALID_VALUE;
	/* 0x1 and 0x2 name the legacy and the per-thread stream */
	if ((uintptr_t)q->stream > 2 && !object_of(q->stream, OBJECT_STREAM))
		return BA_CU_INVALID_HANDLE;
	return copy_params(rec, q);
}

static cu_result record(struct ba_host_record *rec, const request *q)
{
	const object *function = object_of(q->function, OBJECT_FUNCTION);
	cu_result r = check_and_copy(rec, q, function);
	if (r) {
		rec->rejected++;
		return r;
	}
	rec->launches++;
	rec->api = q->api;
	memcpy(rec->grid, q->grid, sizeof(rec->grid));
	memcpy(rec->block, q->block, sizeof(rec->block));
	rec->shared_bytes = q->shared_bytes;
	rec->attribute_count = q->attribute_count;
	rec->stream = q->stream;
	rec->context = api_current_context();
	rec->function = q->function;
	strncpy(rec->entry, function->text, sizeof(rec->entry) - 1);
	rec->entry[sizeof(rec->entry) - 1] = '\0';
	return 0;
}

/* NULL: the launch must take the slow path */
static inline uint64_t *fast_marks(void **params)
{
	uint64_t *page = __atomic_load_n(&marks, __ATOMIC_RELAXED);
	bool whole = page && looking && (!params || page[0] == look.moment);
	return __builtin_expect(whole, 0) ? NULL : page;
}

static inline void leave_mark(uint64_t *page, void **params)
{
	uint64_t word, sum = 0, before = page[0];
	page[0] = before + 1;
	if (!look.params)
		return;
	for (uint32_t i = 0; i < look.params; i++)
		for (uint32_t at = 0; at < look.bytes; at += 8) {
			memcpy(&word, (const unsigned char *)params[i] + at, sizeof(word));
			sum += word;
		}
	page[1] += sum * (2 * before + 1);
}

/* Records or captures the launch, or both. */
static cu_result attend(const request *q, const cu_launch_config *config)
{
	struct ba_host_record *rec = __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
	const cu_kernel_node_params launch = {.function = q->function,
		.grid_x = q->grid[0],
		.grid_y = q->grid[1],
		.grid_z = q->grid[2],
		.block_x = q->block[0],
		.block_y = q->block[1],
		.block_z = q->block[2],
		.shared_bytes = q->shared_bytes,
		.params = q->params,
		.extra = q->extra};
	cu_result r = rec ? record(rec, q) : 0;
	if (r == 0 && taker && taker(&r, &launch, config, q->stream))
		return r;
	if (r)
		return r;
	leave_marks(q);
	return HOOK_SUBMIT(q->function, q->stream, q->params);
}

/* What the launch functions do, with their parameters. */
#define LAUNCH(name, slowly, stream)         \
	HOOK_ENTER(name);                    \
	uint64_t *page = fast_marks(params); \
	if (__builtin_expect(!page, 0))      \
		return slowly;               \
	leave_mark(page, params);            \
	return HOOK_SUBMIT(function, stream, params)

/* The slow twins have the same parameters as the fast functions, so that those need
 * almost no stack frame. */
#define TWIN __attribute__((cold, noinline)) static cu_result

TWIN kernel_attended(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
	cu_stream stream, void **params, void **extra)
{
	const request q = {BA_HOST_LAUNCH_KERNEL, function, {grid_x, grid_y, grid_z},
		{block_x, block_y, block_z}, shared_bytes, 0, stream, params, extra};
	return attend(&q, NULL);
}

API(cuLaunchKernel, cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
	cu_stream stream, void **params, void **extra)
{
	LAUNCH(cuLaunchKernel,
		kernel_attended(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
			shared_bytes, stream, params, extra),
		stream);
}

TWIN kernel_ex_attended(
	const cu_launch_config *c, cu_function function, void **params, void **extra)
{
	const request q = {BA_HOST_LAUNCH_KERNEL_EX, function, {c->grid_x, c->grid_y, c->grid_z},
		{c->block_x, c->block_y, c->block_z}, c->shared_bytes, c->attr_count, c->stream,
		params, extra};
	return attend(&q, c);
}

API(cuLaunchKernelEx, const cu_launch_config *config, cu_function function, void **params,
	void **extra)
{
	LAUNCH(cuLaunchKernelEx, kernel_ex_attended(config, function, params, extra),
		config->stream);
}

TWIN cooperative_attended(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
	cu_stream stream, void **params)
{
	const request q = {BA_HOST_LAUNCH_COOPERATIVE, function, {grid_x, grid_y, grid_z},
		{block_x, block_y, block_z}, shared_bytes, 0, stream, params, NULL};
	return attend(&q, NULL);
}

API(cuLaunchCooperativeKernel, cu_function function, unsigned grid_x, unsigned grid_y,
	unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
	unsigned shared_bytes, cu_stream stream, void **params)
{
	LAUNCH(cuLaunchCooperativeKernel,
		cooperative_attended(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
			shared_bytes, stream, params),
		stream);
}

API_ALIAS(cuLaunchKernel, cuLaunchKernel_ptsz)
API_ALIAS(cuLaunchKernelEx, cuLaunchKernelEx_ptsz)
API_ALIAS(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz)
