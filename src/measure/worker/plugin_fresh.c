/*
 * Runs on inputs that another process chose, for code that may lie (--untrusted).
 *
 * Two workers take part. One has the baseline's library and *checks*: it sets up cases
 * with seeds that the host draws, poisons their outputs, and hands over the memory. The
 * other *runs* a variant's cases, once each, on that memory. The first one then checks
 * what it finds in the outputs of a case that the host names.
 *
 * All blocks of all cases lie in one arena (gpu/arena.h), in the layout of the baseline.
 * The runner's setup() was given the addresses, and never saw what will lie there: the
 * memory arrives with the request whose time is taken.
 */

#include "proc/handover.h"
#include "worker/worker.h"

#define BLOCKS_MOST 256u
#define COUNT_MOST 256u
/* all cases together: of the GPU's memory, and of the time to set them up */
#define MEMORY_PART 8
#define SETUP_MOST_NS (BA_SECOND / 2)
#define HANDOVER_NS (10 * BA_SECOND)

static int read_request(ba_plugin_fresh *f, const ba_message *m, ba_error *err)
{
	uint64_t fd = 0;
	BA_TRY(ba_plugin_read_order(&f->order, m, err));
	BA_TRY(ba_message_u64(&fd, m, "socket", err));
	BA_TRY(ba_message_u64(&f->count, m, "count", err));
	if (fd < 3 || fd > 1 << 20 || f->count == 0 || f->count > COUNT_MOST)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_prepare': out of range");
	f->socket = (int)fd;
	f->checks = ba_message_bool(m, "checks");
	/* the message is gone when it is used again */
	f->name = ba_xstrdup(f->order.name);
	f->order.name = f->name;
	return 0;
}

/* ---- the layout ---- */

/* A case in memory of its own shows which blocks there are. */
static int learn_layout(ba_worker *w, bool limited, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	ba_plugin_case one = {.variant = 0};
	int64_t start = ba_now_ns();
	ba_plugin_current(&one);
	int rc = ba_plugin_set_up(w, &one, &f->order, err);
	int64_t took = ba_now_ns() - start;
	if (rc == 0)
		ba_plugin_say_case(w, &one);
	bool skipped = one.skipped != NULL;
	if (rc == 0 && !skipped && (one.block_count == 0 || !one.benchmark->check))
		rc = ba_fail(err, BA_EVARIANT,
			"%s, so nothing can be checked: --untrusted needs results in memory from host->alloc(), and a check() of them",
			one.block_count ? "it has no check()" : "its setup() asked for no memory");
	if (rc == 0 && one.block_count > BLOCKS_MOST)
		rc = ba_fail(err, BA_EUNSUPPORTED, "more than %u blocks of memory", BLOCKS_MOST);
	f->layout = ba_xcalloc(one.block_count + 1, sizeof(*f->layout));
	for (size_t i = 0; rc == 0 && i < one.block_count; i++) {
		f->layout[i] = one.blocks[i];
		f->layout[i].name = ba_xstrdup(one.blocks[i].name);
		f->layout_count++;
	}
	ba_plugin_end_case(w, &one);
	ba_plugin_current(NULL);
	if (limited && took > 0 && f->count > (uint64_t)(SETUP_MOST_NS / took))
		f->count = (uint64_t)(SETUP_MOST_NS / took);
	f->count = f->count && !skipped ? f->count : !skipped;
	return rc;
}

static int read_layout(ba_plugin_fresh *f, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	uint64_t kinds[BLOCKS_MOST], bytes[BLOCKS_MOST];
	ba_message_texts(&names, m, "names");
	if (names.count == 0 || names.count > BLOCKS_MOST)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_prepare': no layout");
	BA_TRY(ba_message_u64s(kinds, names.count, m, "kinds", err));
	BA_TRY(ba_message_u64s(bytes, names.count, m, "bytes", err));
	f->layout = ba_xcalloc(names.count, sizeof(*f->layout));
	for (size_t i = 0; i < names.count; i++)
		f->layout[f->layout_count++] = (ba_plugin_block){.name = ba_xstrdup(names.items[i]),
			.bytes = bytes[i],
			.kind = (ba_suite_memory)kinds[i]};
	return 0;
}

/* As many cases as fit. */
static int make_room(ba_worker *w, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	size_t free_bytes, total = 0;
	f->step = ba_plugin_lay_out(f->layout, f->layout_count);
	if (f->checks && w->driver.mem_get_info(&free_bytes, &total) == 0 &&
		f->count > total / MEMORY_PART / f->step)
		f->count = total / MEMORY_PART / f->step;
	f->count = f->taken = f->count ? f->count : 1;
	BA_TRY(ba_arena_reserve(&f->arena, &w->driver, w->device.handle, f->step * f->count, err));
	BA_TRY(ba_arena_renew(&f->arena, f->step * f->count, err));
	/* before it is needed: meanwhile the variant could go on */
	if (f->checks)
		BA_DRIVER_TRY(&w->driver, err, "cuMemAlloc", mem_alloc(&f->copy, f->step));
	f->rooms = ba_xcalloc(f->count, sizeof(*f->rooms));
	f->cases = ba_xcalloc(f->count, sizeof(*f->cases));
	for (size_t i = 0; i < f->count; i++)
		f->rooms[i] = (ba_plugin_room){.layout = f->layout,
			.count = f->layout_count,
			.at = f->arena.at + i * f->step,
			.taken = ba_xcalloc(f->layout_count, sizeof(bool))};
	return 0;
}

/* ---- cases ---- */

/* What the baseline writes and compares, the variant must write in the same place. */
static int check_places(const ba_plugin_room *room, ba_error *err)
{
	for (size_t i = 0; i < room->count; i++)
		if (!room->taken[i] && room->layout[i].kind != BA_SUITE_INPUT)
			return ba_fail(err, BA_EVARIANT,
				"its setup() asked for no output '%s' of %zu bytes, which the baseline's check() reads: --untrusted cannot check it",
				room->layout[i].name, room->layout[i].bytes);
	return 0;
}

static int set_up(ba_worker *w, size_t i, uint64_t seed, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	ba_plugin_case *c = &f->cases[i];
	ba_plugin_order order = f->order;
	ba_plugin_end_case(w, c);
	memset(f->rooms[i].taken, 0, f->layout_count * sizeof(bool));
	c->room = &f->rooms[i];
	order.seed = seed;
	order.sets = 1;
	ba_plugin_current(c);
	int rc = ba_plugin_set_up(w, c, &order, err);
	if (rc == 0 && c->skipped)
		rc = ba_fail(err, BA_EVARIANT, "its setup() skips some seeds and not others: %s",
			c->skipped);
	rc = rc ? rc : check_places(c->room, err);
	if (rc == 0 && f->checks)
		rc = ba_plugin_poison(w, c, err);
	ba_plugin_current(NULL);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return rc;
}

/* A failure of the variant is reported, and is not one of the request. */
static int report(ba_worker *w, int rc, ba_error *err)
{
	if (rc != BA_EVARIANT)
		return rc;
	ba_worker_look_at_context(w);
	ba_worker_failed(w, 0, err);
	return w->lost ? ba_fail(err, BA_EGPU, "the CUDA context is lost") : 1;
}

static void reply_prepared(const ba_worker *w, const ba_plugin_fresh *f)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	uint64_t kinds[BLOCKS_MOST], bytes[BLOCKS_MOST];
	for (size_t i = 0; i < f->layout_count; i++) {
		ba_strv_push(&names, f->layout[i].name);
		kinds[i] = (uint64_t)f->layout[i].kind;
		bytes[i] = f->layout[i].bytes;
	}
	BA_REPLY(w, "fresh_prepared", BA_SAY_U64("count", f->count), BA_SAY_TEXTS("names", names),
		BA_SAY_U64S("kinds", kinds, f->layout_count),
		BA_SAY_U64S("bytes", bytes, f->layout_count));
}

int ba_plugin_fresh_prepare(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	ba_plugin_release(w);
	if (!w->plugin_kind || w->lib_count != 1 || !w->libs[0].suite_session)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_prepare' without a suite");
	int rc = read_request(f, m, err);
	if (rc == 0)
		rc = f->checks ? learn_layout(w, ba_message_bool(m, "limited"), err)
			       : read_layout(f, m, err);
	if (rc == 0 && f->count)
		rc = make_room(w, err);
	for (size_t i = 0; rc == 0 && !f->checks && i < f->count; i++)
		rc = set_up(w, i, f->order.seed + i, err);
	rc = report(w, rc, err);
	if (rc < 0)
		return rc;
	reply_prepared(w, f);
	return 0;
}

/* ---- the worker that checks ---- */

/* *n: how many cases are wanted, at most as many as there are places. */
static int read_seeds(uint64_t *out, size_t *n, size_t most, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_message_texts(&words, m, "seeds");
	if (words.count == 0 || words.count > most)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_inputs': %zu seeds for %zu cases",
			words.count, most);
	*n = words.count;
	for (size_t i = 0; i < *n; i++)
		BA_TRY(ba_parse_u64(&out[i], words.items[i], 0, UINT64_MAX,
			"message 'fresh_inputs': seed", err));
	return 0;
}

static int hand_over(const ba_plugin_fresh *f, ba_error *err)
{
	int fd;
	BA_TRY(ba_arena_export(&fd, &f->arena, err));
	int rc = ba_handover_send(f->socket, fd, err);
	close(fd);
	return rc;
}

int ba_plugin_fresh_inputs(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	if (!f->cases || !f->checks)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_inputs' before 'fresh_prepare'");
	free(f->seeds);
	f->seeds = ba_xcalloc(f->count, sizeof(*f->seeds));
	size_t n = 0;
	int rc = read_seeds(f->seeds, &n, f->count, m, err);
	for (size_t i = 0; rc == 0 && i < f->count; i++)
		ba_plugin_end_case(w, &f->cases[i]);
	/* the process that had the last inputs may still see that memory */
	rc = rc ? rc : ba_arena_renew(&f->arena, f->step * n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = set_up(w, i, f->seeds[i], err);
	rc = rc ? rc : hand_over(f, err);
	return report(w, rc, err);
}

/* Takes a copy of the case's memory at once, and goes on where the others cannot write. */
static int take_away(ba_worker *w, const ba_plugin_case *c, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	const ba_driver *d = &w->driver;
	BA_DRIVER_TRY(d, err, "cuMemcpyDtoD", memcpy_dtod(f->copy, c->room->at, f->step));
	BA_DRIVER_TRY(d, err, "cuCtxSynchronize", ctx_synchronize());
	BA_TRY(ba_arena_renew(&f->arena, f->step * f->count, err));
	BA_DRIVER_TRY(d, err, "cuMemcpyDtoD", memcpy_dtod(c->room->at, f->copy, f->step));
	return 0;
}

/* The outputs in the copy, beside inputs that only this process could write: a check() may
 * read those, too. */
static int put_outputs(ba_worker *w, size_t index, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	const ba_plugin_case *c = &f->cases[index];
	BA_TRY(set_up(w, index, f->seeds[index], err));
	BA_EACH (const ba_plugin_block, b, c->blocks, c->block_count) {
		cu_deviceptr from = f->copy + (b->address - c->room->at);
		if (b->placed && b->kind != BA_SUITE_INPUT)
			BA_DRIVER_TRY(&w->driver, err, "cuMemcpyDtoD",
				memcpy_dtod(b->address, from, b->bytes));
	}
	BA_DRIVER_TRY(&w->driver, err, "cuCtxSynchronize", ctx_synchronize());
	return 0;
}

/* BA_EVARIANT: what was written into the case's memory is wrong. */
static int judge(ba_worker *w, size_t index, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	ba_plugin_case *c = &f->cases[index];
	int rc = take_away(w, c, err);
	rc = rc ? rc : ba_plugin_check_guards(w, c, err);
	rc = rc ? rc : put_outputs(w, index, err);
	ba_plugin_current(c);
	rc = rc ? rc : ba_plugin_check_result(w, c, err);
	ba_plugin_current(NULL);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return rc;
}

int ba_plugin_fresh_judge(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	uint64_t index;
	ba_error why = {0};
	BA_TRY(ba_message_u64(&index, m, "case", err));
	if (!f->cases || !f->checks || index >= f->count || !f->cases[index].handle)
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_judge': no such case");
	int rc = judge(w, index, &why);
	if (rc && rc != BA_EVARIANT)
		return ba_fail(err, rc, "%s", why.text);
	BA_REPLY(w, "fresh_judged", BA_SAY_BOOL("right", rc == 0),
		BA_SAY_TEXT("text", rc ? why.text : ""));
	return 0;
}

/* ---- the worker that runs ---- */

/* *fd: the caller closes it, later: with this driver that takes half a millisecond. */
static int take_inputs(int *fd, ba_plugin_fresh *f, uint64_t runs, ba_error *err)
{
	f->taken = runs;
	int rc = ba_handover_receive(fd, f->socket, HANDOVER_NS, err);
	return rc ? rc : ba_arena_take(&f->arena, *fd, f->step * runs, err);
}

static int run_all(ba_worker *w, uint64_t runs, int64_t *ns, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	int64_t start = ba_now_ns();
	ba_worker_enter(w, 0, BA_PHASE_MEASURE);
	ba_plugin_case *c = f->cases;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < runs; i++) {
		c = &f->cases[i % f->taken]; /* untimed runs may be more than were taken */
		ba_plugin_current(c);
		rc = ba_plugin_run(w, c, 0);
	}
	cu_result r = w->driver.ctx_synchronize();
	*ns = ba_now_ns() - start;
	ba_plugin_current(NULL);
	rc = ba_plugin_called(w, c, "run()", rc, r, err);
	rc = rc ? rc : ba_worker_check_context(w, "run()", err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return rc;
}

int ba_plugin_fresh_run(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	bool take = ba_message_bool(m, "take");
	int64_t ns = 0;
	uint64_t runs;
	BA_AUTO_FD int fd = -1;
	if (!f->cases || f->checks || (!take && !f->arena.backed))
		return ba_fail(err, BA_EPROTOCOL, "message 'fresh_run' before 'fresh_prepare'");
	int rc = ba_message_u64(&runs, m, "runs", err);
	if (rc == 0 && (runs == 0 || runs > f->count))
		rc = ba_fail(err, BA_EPROTOCOL, "message 'fresh_run': out of range");
	rc = rc || !take ? rc : take_inputs(&fd, f, runs, err);
	rc = rc ? rc : run_all(w, runs, &ns, err);
	/* so that the next inputs arrive sooner */
	if (rc == 0 && !take)
		rc = ba_arena_drop(&f->arena, err);
	rc = report(w, rc, err);
	if (rc < 0)
		return rc;
	BA_REPLY(w, "fresh_ran", BA_SAY_U64("ns", ns > 1 ? (uint64_t)ns : 1));
	return 0;
}

void ba_plugin_fresh_release(ba_worker *w)
{
	ba_plugin_fresh *f = &w->plugin.fresh;
	for (size_t i = 0; f->cases && i < f->count; i++) {
		ba_plugin_end_case(w, &f->cases[i]);
		free(f->rooms[i].taken);
	}
	BA_FREE_EACH(l, f->layout, f->layout_count, free(l->name));
	if (!w->lost) {
		ba_arena_free(&f->arena);
		if (f->copy)
			w->driver.mem_free(f->copy);
	}
	BA_FREE(f->rooms, f->cases, f->seeds, f->name);
	ba_plugin_order_dispose(&f->order);
	*f = (ba_plugin_fresh){0};
}
