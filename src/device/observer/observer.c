#include "observer/observer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <search.h>

#include "gpu/abi.h"

#define EXPORT __attribute__((visibility("default")))
#define UNUSED __attribute__((unused))
#define MEMORY_UNIFIED 4 /* CU_MEMORYTYPE_UNIFIED */

EXPORT ba_observer_start_fn ba_observer_start;
EXPORT ba_observer_symbol_fn ba_observer_symbol;
EXPORT ba_observer_census_fn ba_observer_census;
EXPORT ba_observer_starts_fn ba_observer_starts;

/* an argument: the driver's functions take nothing wider, and no floating point */
typedef uintptr_t word;

/* Memory of the device, or an executable graph. */
typedef struct item {
	word start, width; /* of addresses; 0: a handle */
	uint64_t bytes;	   /* of an allocation of device memory */
	uint64_t nodes;
} item;

static void *driver;
static const ba_observer_hooks *hooks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for what follows */
static uint64_t counts[BA_CENSUS_COUNT], live, peak, highest;
static void *items;		 /* a tree (tsearch), in which no two items overlap */
static __thread const char *now; /* the function that was called */
static __thread uint64_t took;	 /* ns, where they count */

bool ba_observer_driver(void *function, const char *name)
{
	void *address = driver ? dlsym(driver, name) : NULL;
	memcpy(function, &address, sizeof(address));
	return address;
}

/* ---- what a call asks for ---- */

void ba_observer_census(uint64_t *out)
{
	pthread_mutex_lock(&lock);
	memcpy(out, counts, sizeof(counts));
	memset(counts, 0, sizeof(counts));
	peak = live;
	pthread_mutex_unlock(&lock);
}

static void add(ba_census_what what, uint64_t amount)
{
	__atomic_add_fetch(&counts[what], amount, __ATOMIC_RELAXED);
	if (amount)
		ba_observer_note(now, what, amount);
	if (amount && hooks && hooks->counted)
		hooks->counted(now, what, amount);
}

static word at(word address)
{
	return *(const word *)address;
}

/* ---- memory ---- */

/* items that overlap are equal */
static int order_items(const void *x, const void *y)
{
	const item *a = x, *b = y, *first = a->start < b->start ? a : b;
	word apart = a->start < b->start ? b->start - a->start : a->start - b->start;
	if (apart < first->width || apart == 0)
		return 0;
	return first == a ? -1 : 1;
}

static void drop(item *one)
{
	live -= one->bytes;
	tdelete(one, &items, order_items);
	free(one);
}

static void keep(item one)
{
	pthread_mutex_lock(&lock);
	item **stale, *own = malloc(sizeof(*own));
	/* a context that ended has freed what it had */
	while ((stale = tfind(&one, &items, order_items)))
		drop(*stale);
	if (own) {
		*own = one;
		live += tsearch(own, &items, order_items) ? one.bytes : 0;
	}
	highest = live > highest ? live : highest;
	uint64_t more = live > peak ? live - peak : 0;
	peak += more;
	pthread_mutex_unlock(&lock);
	add(BA_CENSUS_PEAK_BYTES, more);
}

/* The item that has the address; with `ends`, the one that begins there, which ends. */
static item find(word address, bool ends)
{
	item key = {.start = address}, found = {0};
	pthread_mutex_lock(&lock);
	item **its = tfind(&key, &items, order_items);
	if (its && (!ends || (*its)->start == address))
		found = **its;
	if (its && ends && (*its)->start == address)
		drop(*its);
	pthread_mutex_unlock(&lock);
	return found;
}

static bool is_device(word address)
{
	return find(address, false).start != 0;
}

/* bytes_at: an argument; above it, that this is the pitch, which the driver sets, that memory has
 * a handle and no address, or the ends of a copy that are on the device */
enum { PITCHED = 16, HANDLE = 32, FROM_DEVICE = 16, TO_DEVICE = 32 };
static void on_alloc(const word *a, unsigned bytes_at)
{
	word bytes = a[bytes_at % PITCHED];
	bytes = bytes_at & PITCHED ? at(bytes) * a[3] : bytes;
	keep((item){at(a[0]), .width = bytes_at & HANDLE ? 0 : bytes, .bytes = bytes});
	add(BA_CENSUS_ALLOCATIONS, 1);
}

/* addresses of the device, which another call has allocated */
static void on_map(const word *a, unsigned bytes)
{
	keep((item){a[0], .width = a[bytes]});
}

static void on_global(const word *a, unsigned bytes)
{
	if (a[0] && a[bytes] && !is_device(at(a[0])))
		keep((item){at(a[0]), .width = at(a[bytes])});
}

static void on_end(const word *a, unsigned arg)
{
	find(a[arg], true);
}

static void on_free(const word *a, unsigned arg)
{
	on_end(a, arg);
	add(BA_CENSUS_FREES, a[arg] != 0);
}

/* ---- copies ---- */

static void copied(bool from_device, bool to_device, uint64_t bytes)
{
	unsigned direction = to_device ? (from_device ? 2 : 0) : 1;
	if (!from_device && !to_device)
		return;
	add(BA_CENSUS_COPIES_H2D + direction, 1);
	add(BA_CENSUS_BYTES_H2D + direction, bytes);
}

static void on_transfer(const word *a, unsigned bytes_at)
{
	copied(bytes_at & FROM_DEVICE, bytes_at & TO_DEVICE, a[bytes_at % FROM_DEVICE]);
}

static void on_copy(const word *a, unsigned bytes)
{
	copied(is_device(a[1]), is_device(a[0]), a[bytes]);
}

static void on_copies(const word *a, unsigned count)
{
	const word *to = (const word *)a[0], *from = (const word *)a[1];
	for (size_t i = 0; i < a[count]; i++)
		copied(is_device(from[i]), is_device(to[i]), ((const size_t *)a[2])[i]);
}

static bool is_end_on_device(word type, word address)
{
	return type == MEMORY_UNIFIED ? is_device(address) : type != BA_CU_MEMORY_HOST;
}

/* CUDA_MEMCPY2D: x, y, type, host, device, array, pitch of both ends; width, height */
static void on_copy_2d(const word *a, unsigned arg)
{
	const word *c = (const word *)a[arg];
	copied(is_end_on_device((uint32_t)c[2], c[4]), is_end_on_device((uint32_t)c[9], c[11]),
		c[14] * c[15]);
}

static void on_copy_3d(const word *a, unsigned arg)
{
	const cu_memcpy3d *c = (const cu_memcpy3d *)a[arg];
	copied(is_end_on_device(c->from.memory_type, c->from.device),
		is_end_on_device(c->to.memory_type, c->to.device),
		c->width_bytes * c->height * c->depth);
}

/* copies of boxes, several at a time: their number is counted, and no bytes */
static void on_boxes(const word *a, unsigned count)
{
	add(BA_CENSUS_COPIES_D2D, a[count]);
}

/* ---- launches, modules ---- */

enum { UNNAMED = 12 }; /* no argument is the function */
static void on_launch(const word *a, unsigned function)
{
	if (hooks && hooks->launched)
		hooks->launched();
	ba_observer_launched(function == UNNAMED ? 0 : a[function]);
	add(BA_CENSUS_LAUNCHES, 1);
}

static void on_instantiate(const word *a, unsigned graph)
{
	cu_result (*nodes_of)(word, void *, size_t *);
	size_t nodes = 0;
	if (ba_observer_driver(&nodes_of, "cuGraphGetNodes") &&
		nodes_of(a[graph], NULL, &nodes) == 0)
		keep((item){at(a[0]), .nodes = nodes});
}

/* Whose kernels may have been put into it at any time. */
static void on_graph_launch(const word *a, unsigned graph)
{
	ba_observer_launched(0);
	add(BA_CENSUS_LAUNCHES, 1);
	add(BA_CENSUS_GRAPH_NODES, find(a[graph], false).nodes);
}

enum { LOAD_PATH = 1, LOAD_LIBRARY = 2, LOAD_OPTIONS = 4 };

static void on_load(const word *a, unsigned how)
{
	const void *image = how & LOAD_PATH ? NULL : (const void *)a[1];
	const char *path = how & LOAD_PATH ? (const char *)a[1] : NULL;
	/* a module's options: count, names, values; a library's: names, values, count */
	const word none[3] = {0}, *o = how & (LOAD_LIBRARY | LOAD_OPTIONS) ? &a[2] : none;
	bool library = how & LOAD_LIBRARY;
	if (hooks && hooks->loaded)
		hooks->loaded(*(void **)a[0], library, image, path, (unsigned)o[library ? 2 : 0],
			(const int *)o[!library], (void *const *)o[library ? 1 : 2]);
	ba_observer_loaded(*(void **)a[0], library, image, path, took);
	add(BA_CENSUS_MODULE_LOADS, 1);
}

static void on_context(const word *a UNUSED, unsigned arg UNUSED)
{
	/* only its time counts */
}

static void on_context_end(const word *a UNUSED, unsigned arg UNUSED)
{
	/* forward() has forgotten the modules */
}

static void on_unload(const word *a, unsigned arg)
{
	if (hooks && hooks->unloaded)
		hooks->unloaded((const void *)a[arg]);
}

static void on_met(const word *a UNUSED, unsigned arg UNUSED)
{
	if (hooks && hooks->met)
		hooks->met(now);
}

static void on_call(const word *a UNUSED, unsigned what)
{
	add(what, 1);
}

/* ---- what is forwarded ---- */

/* "*": any ending; without it, only those of versions and streams */
static const struct call {
	const char *name;
	void (*hear)(const word *args, unsigned arg);
	unsigned arg;
} calls[] = {
#define CALL(name, hear, arg) {name, hear, arg},
#include "observer/calls.def"
#undef CALL
};

/* May it follow the name of a function: "_v2", "_ptsz", "_v2_ptds", ""? */
static bool is_form(const char *ending)
{
	if (ending[0] == '_' && ending[1] == 'v' && ending[2])
		ending += 3;
	return !*ending || !strcmp(ending, "_ptsz") || !strcmp(ending, "_ptds");
}

static const struct call *call_of(const char *name)
{
	for (size_t i = 0; i < BA_COUNT(calls); i++) {
		size_t n = strcspn(calls[i].name, "*");
		if (strncmp(calls[i].name, name, n) == 0 && (calls[i].name[n] || is_form(name + n)))
			return calls[i].hear ? &calls[i] : NULL;
	}
	return NULL;
}

/* as many as the function with the most has; those that a function lacks are not read */
#define WORDS(X) X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11)
#define PARAM(i) word a##i
#define ARG(i) a##i
#define ELEMENT(i) a[i]
typedef cu_result function(WORDS(PARAM));

#define FORWARD(name) EXPORT function name;
#include "driver_names.inc"
#undef FORWARD

enum {
#define FORWARD(name) ROW_##name,
#include "driver_names.inc"
#undef FORWARD
	ROW_COUNT
};

static struct {
	const char *name;
	function *own, *real;
	const struct call *call;
} rows[] = {
#define FORWARD(name) {#name, name, NULL, NULL},
#include "driver_names.inc"
#undef FORWARD
};

static uint64_t context_ns, load_ns;

void ba_observer_starts(uint64_t *out)
{
	pthread_mutex_lock(&lock);
	out[0] = __atomic_load_n(&context_ns, __ATOMIC_RELAXED);
	out[1] = __atomic_load_n(&load_ns, __ATOMIC_RELAXED);
	out[2] = highest;
	pthread_mutex_unlock(&lock);
}

static cu_result forward(unsigned row, const word *a)
{
	if (!rows[row].real && !ba_observer_driver(&rows[row].real, rows[row].name))
		return BA_CU_NOT_FOUND;
	const struct call *call = rows[row].call;
	uint64_t *spent = !call			     ? NULL
			  : call->hear == on_context ? &context_ns
			  : call->hear == on_load    ? &load_ns
						     : NULL;
	int64_t start = spent ? ba_now_ns() : 0;
	/* before the call: after it, another thread may have loaded a module at the same address */
	if (call && (call->hear == on_unload || call->hear == on_context_end))
		ba_observer_unloaded(call->hear == on_unload ? (const void *)a[call->arg] : NULL);
	cu_result r = rows[row].real(WORDS(ELEMENT));
	took = spent ? (uint64_t)(ba_now_ns() - start) : 0;
	if (spent)
		__atomic_add_fetch(spent, took, __ATOMIC_RELAXED);
	if (r == 0 && rows[row].call) {
		now = rows[row].name;
		rows[row].call->hear(a, rows[row].call->arg);
	}
	return r;
}

#define FORWARD(name)                          \
	cu_result name(WORDS(PARAM))           \
	{                                      \
		const word a[] = {WORDS(ARG)}; \
		return forward(ROW_##name, a); \
	}
#include "driver_names.inc"
#undef FORWARD

/* ---- how functions are asked for ---- */

EXPORT cu_get_proc_address_v2 cuGetProcAddress_v2;
EXPORT cu_get_proc_address_v1 cuGetProcAddress;

/* Our function in place of `real`, the form of the function that the driver has chosen. A
 * form that the driver does not export counts as the newest one. */
static void *stand_in(const char *name, void *real, uint64_t flags)
{
	size_t n = strlen(name);
	unsigned row = ROW_COUNT;
	bool same = false;
	for (unsigned i = 0; i < ROW_COUNT && !same; i++) {
		const char *form = rows[i].name + n;
		if (strncmp(rows[i].name, name, n) != 0 || !is_form(form))
			continue;
		void *exported;
		same = ba_observer_driver(&exported, rows[i].name) && exported == real;
		bool per_thread = strstr(form, "_ptsz") || strstr(form, "_ptds");
		bool chosen = per_thread == !!(flags & BA_CU_GETPROC_PER_THREAD);
		if (same ||
			(chosen && (!rows[i].real || !memcmp(&rows[i].real, &real, sizeof(real)))))
			row = i;
	}
	if (row == ROW_COUNT || !rows[row].call)
		return real;
	memcpy(&rows[row].real, &real, sizeof(real));
	memcpy(&real, &rows[row].own, sizeof(real));
	return real;
}

/* by the driver's function of that name; the older one takes no status */
static cu_result look_up(
	const char *by, const char *symbol, void **out, int version, uint64_t flags, int *status)
{
	cu_get_proc_address_v2 *real;
	if (!ba_observer_driver(&real, by))
		return BA_CU_NOT_FOUND;
	cu_result r = real(symbol, out, version, flags, status);
	if (r == 0 && symbol && out && *out)
		*out = stand_in(symbol, *out, flags);
	return r;
}

cu_result cuGetProcAddress_v2(
	const char *symbol, void **out, int version, uint64_t flags, int *status)
{
	cu_result r = look_up("cuGetProcAddress_v2", symbol, out, version, flags, status);
	if (r == 0 && symbol && out && *out && strcmp(symbol, "cuGetProcAddress") == 0)
		*out = ba_observer_symbol(symbol, *out);
	return r;
}

cu_result cuGetProcAddress(const char *symbol, void **out, int version, uint64_t flags)
{
	return look_up("cuGetProcAddress", symbol, out, version, flags, NULL);
}

void *ba_observer_symbol(const char *name, void *real)
{
	cu_get_proc_address_v2 *newer = cuGetProcAddress_v2;
	if (!real || strcmp(name, "cuGetProcAddress") != 0)
		return real ? stand_in(name, real, 0) : NULL;
	/* today's drivers return this newer function */
	memcpy(&real, &newer, sizeof(newer));
	return real;
}

void ba_observer_start(void *library, const ba_observer_hooks *told)
{
	for (unsigned i = 0; i < ROW_COUNT; i++)
		rows[i].call = call_of(rows[i].name);
	driver = library;
	hooks = told;
}
