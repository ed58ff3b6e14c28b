#include "wire/census.h"

#include <link.h>

#define WARM_UP_MOST 100000u
#define INSTRUCTIONS_MOST (UINT64_C(1) << 28)

int ba_count_order_read(ba_count_order *o, const ba_message *m, ba_error *err)
{
	o->way = ba_message_text(m, "way");
	o->trace = ba_message_text(m, "trace");
	o->census = strcmp(o->way, "census") == 0;
	BA_TRY(ba_message_u64(&o->calls, m, "calls", err));
	BA_TRY(ba_message_u64(&o->warm_up, m, "warm_up", err));
	BA_TRY(ba_message_u64(&o->most, m, "most", err));
	if (!*o->trace || !o->calls || o->warm_up > WARM_UP_MOST || !o->most ||
		o->most > INSTRUCTIONS_MOST)
		return ba_fail(err, BA_EPROTOCOL, "message 'count': out of range");
	return 0;
}

bool ba_census_open(ba_census *c, void *observer)
{
	if (observer) {
		*(void **)&c->take = dlsym(observer, BA_OBSERVER_CENSUS);
		*(void **)&c->listen = dlsym(observer, BA_OBSERVER_LISTEN);
		*(void **)&c->callers = dlsym(observer, BA_OBSERVER_CALLERS);
		*(void **)&c->kernels = dlsym(observer, BA_OBSERVER_KERNELS);
	}
	return c->take && c->listen && c->callers && c->kernels;
}

void ba_census_enter(ba_census *c, const char *tree)
{
	uint64_t before[BA_CENSUS_COUNT];
	c->take(before);
	c->listen(tree);
}

void ba_census_leave(ba_census *c, uint64_t calls)
{
	uint64_t now[BA_CENSUS_COUNT];
	c->listen(NULL);
	c->take(now);
	for (size_t i = 0; i < BA_CENSUS_COUNT; i++)
		c->counts[i] += now[i];
	c->calls += calls;
}

/* An address of the process as one of a file. */
static uint64_t offset_of(const char **file, const void *address)
{
	Dl_info info = {0};
	struct link_map *map = NULL;
	*file = "";
	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return 0;
	/* the main program has no name there */
	*file = *map->l_name ? map->l_name : "/proc/self/exe";
	return (uint64_t)((uintptr_t)address - map->l_addr) - 1;
}

size_t ba_census_say(ba_say fields[BA_CENSUS_SAYS], ba_census *c)
{
	const ba_observer_caller *callers;
	const char *const *launched;
	size_t n = c->callers(&callers), kernels = c->kernels(&launched), count = 0;
	for (size_t i = 0; kernels != SIZE_MAX && i < kernels; i++)
		ba_strv_push(&c->launched, launched[i]);
	for (size_t i = 0; i < n; i++) {
		const char *file;
		c->offsets[i] = offset_of(&file, callers[i].address);
		BA_AUTO_FREE char *real = realpath(file, NULL);
		ba_strv_push(&c->names, callers[i].function);
		ba_strv_push(&c->files, real ? real : file);
		c->place_counts[i] = callers[i].count;
		c->whats[i] = callers[i].what;
	}
	fields[count++] = BA_SAY_TEXT("way", "census");
	fields[count++] = BA_SAY_U64S("instructions", NULL, 0);
	fields[count++] = BA_SAY_U64S("census", c->counts, BA_CENSUS_COUNT);
	fields[count++] = BA_SAY_U64("calls_made", c->calls);
	fields[count++] = BA_SAY_TEXTS("names", c->names);
	fields[count++] = BA_SAY_TEXTS("files", c->files);
	fields[count++] = BA_SAY_U64S("lines", c->lines, n);
	fields[count++] = BA_SAY_U64S("counts", c->place_counts, n);
	fields[count++] = BA_SAY_U64S("whats", c->whats, n);
	fields[count++] = BA_SAY_U64S("offsets", c->offsets, n);
	fields[count++] = BA_SAY_TEXTS("kernels", c->launched);
	fields[count++] = BA_SAY_BOOL("kernels_known", kernels != SIZE_MAX);
	return count;
}

BA_OWNS(ba_census, c, BA_DISPOSE(ba_strv, &c->names, &c->files, &c->launched))
