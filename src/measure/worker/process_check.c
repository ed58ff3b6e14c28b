#include "worker/process_check.h"

#define BUSY_LEAST_NS (5 * BA_MS)
#define BUSY_PART 10 /* a tenth of the time of our thread */

void ba_process_check_begin(ba_process_check *c)
{
	ba_process_state_take(&c->before);
	c->own_ns = ba_process_state_own_cpu_ns();
	c->others_ns = ba_process_state_others_cpu_ns();
}

/* Says it once a process. */
static void note_once(ba_worker *w, int variant, ba_phase phase, const char *what)
{
	BA_AUTO_FREE char *text =
		ba_xprintf("%s %s %s", w->libs[variant].label, what, ba_phase_text(phase));
	if (!w->speaks || ba_strv_has(&w->noted, text))
		return;
	ba_strv_push(&w->noted, text);
	ba_worker_note(w, "%s", text);
}

int ba_process_check_end(
	const ba_process_check *c, ba_worker *w, int variant, ba_phase phase, ba_error *err)
{
	ba_process_state after;
	bool own;
	BA_AUTO(ba_process_state_change) ba_process_state_change change;
	BA_AUTO_FREE char *code = ba_process_code_changed(&w->code, variant, NULL, &own);
	ba_process_state_take(&after);
	ba_process_state_compare(&change, &c->before, &after);
	if (change.threads)
		w->left_threads = variant;
	if (change.notable.len)
		note_once(w, variant, phase, change.notable.data);
	if (own)
		note_once(w, variant, phase, "changed code of its own");
	const char *where = ba_phase_text(phase);
	if (code) {
		w->certain = w->lost = true;
		return ba_fail(err, BA_EVARIANT, "changed %s %s", code, where);
	}
	if (change.unfair.len) {
		w->certain = true;
		/* the variants that follow get the processors and the priority of before */
		if (ba_affinity_set(&c->before.cpus) || ba_priority_set(c->before.priority))
			w->lost = true;
		return ba_fail(err, BA_EVARIANT, "%s %s", change.unfair.data, where);
	}
	/* alone in its process, it harms only itself */
	if (change.harmful.len && w->lib_count > 1)
		return ba_fail(err, BA_EVARIANT, "%s %s", change.harmful.data, where);
	return 0;
}

static int busy(const ba_process_check *c, int *variant, const ba_worker *w, ba_error *err)
{
	int64_t others = ba_process_state_others_cpu_ns() - c->others_ns;
	int64_t own = ba_process_state_own_cpu_ns() - c->own_ns;
	if (w->lib_count == 1 || others < BUSY_LEAST_NS || others < own / BUSY_PART)
		return 0;
	*variant = w->left_threads >= 0 ? w->left_threads : w->last_launched;
	return ba_fail(err, BA_EVARIANT,
		"threads that were not the tool's took %" PRId64
		" ms of processor time while launches took %" PRId64 " ms",
		others / BA_MS, own / BA_MS);
}

int ba_process_check_measured(const ba_process_check *c, int *variant, ba_worker *w, ba_error *err)
{
	bool own;
	int owner = BA_BEACON_NOBODY;
	/* alone in its process, it may change its own code */
	int except = w->lib_count == 1 ? 0 : BA_PROCESS_CODE_ALL;
	BA_AUTO_FREE char *code = ba_process_code_changed(&w->code, except, &owner, &own);
	if (!code)
		return busy(c, variant, w, err);
	w->lost = true;
	*variant = owner == BA_BEACON_NOBODY ? w->last_launched : owner;
	return ba_fail(err, BA_EVARIANT, "%s was changed while launches were measured", code);
}
