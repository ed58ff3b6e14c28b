
#include "worker/inspect.h"

#define CHUNK ((size_t)8 << 20)
#define REACHED_MOST ((size_t)8 << 30) /* a digest of it takes seconds */
#define LEAST_ADDRESS 0x10000u
#define LOOK_UPS_MOST 100000u

/* ---- addresses ---- */

static bool find_known(size_t *index, const ba_inspection *x, cu_deviceptr address)
{
	const ba_allocation *found =
		BA_FIND(x->allocations, x->allocation_count, one, address - one->base < one->bytes);
	*index = found ? (size_t)(found - x->allocations) : 0;
	return found;
}

/* 1: it is the address of memory, which is known now; 0: it is none */
static int find_allocation(size_t *index, ba_inspection *x, cu_deviceptr address, ba_error *err)
{
	ba_allocation a;
	unsigned type = 0;
	int managed = 0;
	if (address < LEAST_ADDRESS)
		return 0;
	if (find_known(index, x, address))
		return 1;
	if (x->driver->mem_get_address_range(&a.base, &a.bytes, address) || a.bytes == 0)
		return 0;
	cu_result r = x->driver->pointer_get_attribute(&type, BA_CU_POINTER_MEMORY_TYPE, address);
	if (r == 0)
		r = x->driver->pointer_get_attribute(&managed, BA_CU_POINTER_IS_MANAGED, address);
	if (r || type != BA_CU_MEMORY_DEVICE || managed)
		return ba_fail(err, BA_EUNSUPPORTED,
			"it works on memory of the host, or on managed memory");
	*BA_PUSH(x->allocations, x->allocation_count, x->allocation_capacity) = a;
	*index = x->allocation_count - 1;
	return 1;
}

int ba_inspect_values(ba_inspection *x, const void *data, size_t bytes, ba_error *err)
{
	for (size_t at = 0; at < bytes; at += 8) {
		uint64_t word = 0;
		size_t index = 0, n = bytes - at < 8 ? bytes - at : 8;
		memcpy(&word, (const char *)data + at, n);
		int is_address = n == 8 ? find_allocation(&index, x, word, err) : 0;
		if (is_address < 0)
			return is_address;
		const uint64_t parts[4] = {(uint64_t)is_address, n, index,
			is_address ? word - x->allocations[index].base : word};
		ba_sha256_add(&x->work, parts, sizeof(parts));
		if (is_address)
			ba_sha256_add(&x->work, &x->allocations[index].bytes,
				sizeof(x->allocations[index].bytes));
	}
	return 0;
}

/* ---- content ---- */

/* Two sums over words, each of which every word changes. Nobody's enemy makes the data:
 * chance is all that they must withstand. */
typedef struct digest {
	uint64_t a, b;
	unsigned look_ups;
	bool holds_addresses;
} digest;

/* A word in memory that is an address in memory: what it leads to is not followed. */
static bool is_address(digest *d, const ba_inspection *x, uint64_t word)
{
	cu_deviceptr base;
	size_t bytes, index;
	if (!BA_ANY(x->allocations, x->allocation_count, one, word >> 40 == one->base >> 40))
		return false;
	return find_known(&index, x, word) || ++d->look_ups > LOOK_UPS_MOST ||
	       (x->driver->mem_get_address_range(&base, &bytes, word) == 0 && word - base < bytes);
}

static void add_words(digest *d, const ba_inspection *x, const unsigned char *data, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += 8) {
		uint64_t word = 0;
		size_t n = bytes - at < 8 ? bytes - at : 8;
		memcpy(&word, data + at, n);
		d->a = (d->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		d->a ^= d->a >> 29;
		d->b = (d->b + word) * UINT64_C(0xd6e8feb86659fd93);
		d->b ^= d->b >> 32;
		if (word >> 47 == 0 && word >= LEAST_ADDRESS)
			d->holds_addresses = d->holds_addresses || is_address(d, x, word);
	}
}

static int add_range(digest *d, const ba_inspection *x, const ba_allocation *a,
	unsigned char *chunk, ba_error *err)
{
	for (size_t at = 0; at < a->bytes && !d->holds_addresses; at += CHUNK) {
		size_t n = a->bytes - at < CHUNK ? a->bytes - at : CHUNK;
		BA_DRIVER_TRY(x->driver, err, "cuMemcpyDtoH", memcpy_dtoh(chunk, a->base + at, n));
		add_words(d, x, chunk, n);
	}
	return 0;
}

static size_t reached(const ba_inspection *x)
{
	size_t bytes = 0;
	for (size_t i = 0; i < x->allocation_count; i++)
		bytes += x->allocations[i].bytes;
	for (size_t i = 0; i < x->variable_count; i++)
		bytes += x->variables[i].bytes;
	return bytes;
}

int ba_inspect_memory(char out[65], const ba_inspection *x, ba_error *err)
{
	BA_AUTO_FREE unsigned char *chunk = ba_xmalloc(CHUNK);
	digest d = {0};
	int rc = 0;
	if (reached(x) > REACHED_MOST)
		return ba_fail(err, BA_EUNSUPPORTED,
			"it reaches %zu MiB of memory, more than bench-against compares",
			reached(x) >> 20);
	for (size_t i = 0; rc == 0 && i < x->allocation_count; i++)
		rc = add_range(&d, x, &x->allocations[i], chunk, err);
	for (size_t i = 0; rc == 0 && i < x->variable_count; i++)
		rc = add_range(&d, x, &x->variables[i], chunk, err);
	if (rc == 0 && d.holds_addresses)
		rc = ba_fail(err, BA_EUNSUPPORTED,
			"the memory that it reaches contains addresses, or values that look like addresses");
	const uint64_t sums[2] = {d.a, d.b};
	if (rc == 0)
		ba_sha256_of(out, sums, sizeof(sums));
	return rc;
}
