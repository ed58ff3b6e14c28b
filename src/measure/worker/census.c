/* From where the variant calls the driver, while a census is taken. */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>

#include "base/elf.h"
#include "worker/inspect.h"
#include "worker/worker.h"

#define FRAMES_MOST 32
#define CALLERS_MOST 256u
#define OBJECT_MOST ((size_t)256 << 20)

static struct caller {
	const char *function;
	const char *address; /* behind the call */
	uint64_t what, count;
} callers[CALLERS_MOST];
static size_t caller_count;
static char *listens_to; /* the tree, with links resolved */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ba_census_listen(const char *tree)
{
	void *first[1];
	backtrace(first, 1); /* its first call loads a library */
	caller_count = tree ? 0 : caller_count;
	free(listens_to);
	listens_to = tree ? realpath(tree, NULL) : NULL;
}

/* The innermost frame in the tree; without one, of all that are not the observer's, whose
 * frames come after ours. */
static const char *frame_of_caller(void)
{
	void *frames[FRAMES_MOST];
	const void *observer = NULL;
	const char *chosen = NULL;
	bool seen = false; /* a frame of ours */
	Dl_info info = {0}, ours = {0};
	int depth = backtrace(frames, FRAMES_MOST);
	dladdr((void *)&callers, &ours);
	for (int i = 0; i < depth; i++) {
		if (!dladdr(frames[i], &info))
			continue;
		seen = seen || info.dli_fbase == ours.dli_fbase;
		if (seen && !observer && info.dli_fbase != ours.dli_fbase)
			observer = info.dli_fbase;
		if (!observer || info.dli_fbase == observer)
			continue;
		if (listens_to && ba_text_starts(info.dli_fname, listens_to))
			return frames[i];
		chosen = chosen ? chosen : frames[i];
	}
	return chosen;
}

void ba_census_heard(const char *function, ba_census_what what, uint64_t amount)
{
	const char *address = listens_to ? frame_of_caller() : NULL;
	size_t i = 0;
	if (!address)
		return;
	pthread_mutex_lock(&lock);
	while (i < caller_count &&
		(callers[i].address != address || callers[i].function != function ||
			callers[i].what != what))
		i++;
	if (i == caller_count && i < CALLERS_MOST) {
		callers[i] = (struct caller){function, address, what, 0};
		caller_count++;
	}
	if (i < caller_count)
		callers[i].count += amount;
	pthread_mutex_unlock(&lock);
}

/* A file that has callers. */
typedef struct object {
	const void *base;
	ba_buf text;
	ba_elf elf;
} object;

/* Reads the file only if it is another one than before. */
static void look_into(object *o, const Dl_info *info)
{
	if (o->base == info->dli_fbase)
		return;
	ba_elf_close(&o->elf);
	ba_buf_clear(&o->text);
	o->base = info->dli_fbase;
	if (!ba_fs_read(&o->text, info->dli_fname, OBJECT_MOST, NULL))
		ba_elf_open(&o->elf, o->text.data, o->text.len, NULL);
}

/* "push" of the function that has the address, by the symbols of its file; or "?". */
static const char *name_of(ba_elf *elf, uint64_t at)
{
	for (size_t s = 0; s < elf->section_count; s++)
		for (size_t i = 0; ba_elf_symbols(elf, s) && i < elf->symbol_count; i++)
			if (at - elf->symbols[i].st_value < elf->symbols[i].st_size)
				return ba_elf_symbol_name(elf, i);
	return "?";
}

void ba_census_reply(const ba_worker *w, const uint64_t *census, uint64_t calls)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, files = {0};
	uint64_t lines[CALLERS_MOST] = {0}, counts[CALLERS_MOST], whats[CALLERS_MOST];
	object o = {.text = BA_BUF_INIT};
	for (size_t i = 0; i < caller_count; i++) {
		Dl_info info = {0};
		const char *name = "?";
		if (dladdr(callers[i].address, &info)) {
			look_into(&o, &info);
			name = name_of(&o.elf,
				(uint64_t)(callers[i].address - (const char *)info.dli_fbase) - 1);
		}
		ba_strv_printf(&names, "%s from %s", callers[i].function, name);
		ba_strv_push(&files, info.dli_fname ? ba_path_base(info.dli_fname) : "");
		counts[i] = callers[i].count;
		whats[i] = callers[i].what;
	}
	ba_elf_close(&o.elf);
	ba_buf_dispose(&o.text);
	size_t n = caller_count;
	BA_REPLY(w, "counted", BA_SAY_TEXT("way", "census"), BA_SAY_U64S("instructions", census, 0),
		BA_SAY_U64S("census", census, BA_CENSUS_COUNT), BA_SAY_U64("calls_made", calls),
		BA_SAY_TEXTS("names", names), BA_SAY_TEXTS("files", files),
		BA_SAY_U64S("lines", lines, n), BA_SAY_U64S("counts", counts, n),
		BA_SAY_U64S("whats", whats, n));
}
