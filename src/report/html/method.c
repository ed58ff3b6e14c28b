/* The end of the page: on what, how and with which code it was measured. */
#include <inttypes.h>

#include "base/mem.h"
#include "base/number.h"
#include "report/html/page.h"
#include "report/markup.h"

static void begin_facts(ba_buf *out, const char *caption)
{
	ba_buf_printf(out, "<table class=\"facts\">\n<caption>%s</caption>\n<tbody>\n",
		caption);
}

static void end_facts(ba_buf *out)
{
	ba_buf_puts(out, "</tbody>\n</table>\n");
}

static void fact_number(
	ba_buf *out, const char *name, bool known, const char *fmt, double value)
{
	BA_AUTO_FREE char *text = NULL;
	if (!known)
		return;
	text = ba_xprintf("%.6g %s", value, fmt);
	ba_html_fact(out, name, text);
}

static void put_environment(ba_page *p)
{
	const ba_environment *e = &p->r->env;
	ba_buf *out = p->out;
	begin_facts(out, "Environment");
	ba_html_fact(out, "target", e->target);
	ba_html_fact(out, "device", e->device_name);
	ba_html_fact(out, "UUID", e->device_uuid);
	ba_html_fact(out, "compute capability", e->compute_capability);
	ba_html_fact(out, "driver", e->driver_version);
	ba_html_fact(out, "CUDA", e->cuda_version);
	ba_html_fact(out, "PCI", e->pci_bus_id);
	ba_html_fact(out, "ECC", e->ecc);
	ba_html_fact(out, "MIG", e->mig);
	ba_html_fact(out, "virtualization", e->virtualization);
	fact_number(out, "multiprocessors", e->sm_count > 0, "", e->sm_count);
	fact_number(out, "memory", e->memory_bytes > 0, "GiB",
		(double)e->memory_bytes / (1 << 30));
	fact_number(out, "SM clock", e->sm_clock_mhz > 0, "MHz", e->sm_clock_mhz);
	fact_number(out, "memory clock", e->memory_clock_mhz > 0, "MHz",
		e->memory_clock_mhz);
	fact_number(out, "power", e->power_watts > 0, "W", e->power_watts);
	fact_number(out, "power limit", e->power_limit_watts > 0, "W",
		e->power_limit_watts);
	fact_number(out, "temperature", e->temperature_c > 0, "°C", e->temperature_c);
	fact_number(out, "other processes on the GPU", e->other_processes > 0, "",
		e->other_processes);
	ba_html_fact(out, "host", e->host_name);
	ba_html_fact(out, "CPU", e->cpu_model);
	fact_number(out, "CPUs", e->cpus > 0, "", e->cpus);
	fact_number(out, "pinned to CPU", e->pinned_cpu >= 0, "", e->pinned_cpu);
	fact_number(out, "load average", e->load_average > 0, "", e->load_average);
	ba_html_fact(out, "kernel", e->kernel);
	ba_html_fact(out, "governor", e->governor);
	ba_html_fact(out, "clock source", e->clocksource);
	fact_number(out, "clock read", e->timer_read_ns > 0, "ns", e->timer_read_ns);
	fact_number(out, "clock step", e->timer_tick_ns > 0, "ns", e->timer_tick_ns);
	fact_number(out, "queue depth", e->queue_depth > 0, "launches", e->queue_depth);
	fact_number(out, "step of event times", e->event_tick_ns > 0, "ns",
		e->event_tick_ns);
	fact_number(out, "two events with nothing between", e->event_pair_ns > 0, "ns",
		e->event_pair_ns);
	fact_number(out, "L2 cache", e->l2_bytes > 0, "MiB",
		(double)e->l2_bytes / (1 << 20));
	ba_html_fact(out, "flushed by", e->flush);
	fact_number(
		out, "copies reach", e->copy_gb_per_s > 0, "GB/s", e->copy_gb_per_s);
	fact_number(out, "matrix instructions reach", e->matrix_gflop_per_s > 0,
		"GFLOP/s", e->matrix_gflop_per_s);
	end_facts(out);
}

static void put_decision(ba_page *p)
{
	const ba_result *r = p->r;
	ba_buf *out = p->out;
	BA_AUTO(ba_buf) ba_buf looks = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf alpha = BA_BUF_INIT;
	BA_AUTO_FREE char *seed = ba_xprintf("%" PRIu64, r->seed);
	BA_AUTO_FREE char *status = ba_xprintf("%d", r->exit_status);
	for (size_t i = 0; i < r->look_count; i++)
		ba_buf_printf(&looks, "%s%u", i ? ", " : "", r->looks[i]);
	ba_percent_plain(&alpha, r->alpha);
	begin_facts(out, "How it was measured and decided");
	ba_html_fact(out, "command", r->command_line);
	ba_html_fact(out, "exit status", status);
	ba_html_fact(out, "repository", r->repository);
	ba_html_fact(out, "configuration", r->config_path);
	ba_html_fact(out, "engine", r->engine);
	ba_html_fact(out, "why not the duet", r->engine_reason);
	ba_html_fact(out, "seed", seed);
	ba_html_fact(out, "error rate", r->variant_count > 1 ? alpha.data : "");
	ba_html_fact(out, "multiplicity", r->multiplicity);
	ba_html_fact(out, "looks after invocation", looks.data);
	ba_html_fact(out, "stopped by", r->stopped);
	ba_html_fact(out, "gate", r->gate_strict ? "strict" : "");
	ba_html_fact(out, "suite SHA-256", r->suite_sha256);
	ba_html_fact(out, "tool version", r->tool_version);
	end_facts(out);
}

static void put_artefacts(ba_page *p)
{
	enum { MOST = 200 };
	size_t count = 0;
	bool any = false;
	for (size_t i = 0; i < p->r->variant_count; i++)
		any = any || p->r->variants[i].artefact_count;
	if (!any)
		return;
	begin_facts(p->out, "What ran: SHA-256 of each loaded file");
	for (size_t i = 0; i < p->r->variant_count && i < BA_PAGE_ROWS; i++) {
		const ba_variant *v = &p->r->variants[i];
		for (size_t a = 0; a < v->artefact_count && count < MOST;
			a++, count++) {
			ba_buf_puts(p->out, "<tr><th scope=\"row\">");
			ba_html_name(p->out, v->label);
			ba_buf_puts(p->out, "</th><td>");
			ba_html_name(p->out, v->artefacts[a].path);
			ba_buf_puts(p->out, "<br><code>");
			ba_markup_put(p->out, v->artefacts[a].sha256);
			ba_buf_puts(p->out, "</code></td></tr>\n");
		}
	}
	end_facts(p->out);
}

static void put_notes(ba_page *p)
{
	enum { MOST = 100 };
	const ba_strv *notes = &p->r->notes;
	if (!notes->count)
		return;
	ba_buf_puts(p->out, "<h3>Notes</h3>\n<ul>\n");
	for (size_t i = 0; i < notes->count && i < MOST; i++) {
		ba_buf_puts(p->out, "<li>");
		ba_html_sentence(p->out, notes->items[i]);
		ba_buf_puts(p->out, "</li>\n");
	}
	if (notes->count > MOST)
		ba_buf_printf(p->out, "<li>and %zu more</li>\n", notes->count - MOST);
	ba_buf_puts(p->out, "</ul>\n");
}

static const char words[] =
	"<h3>What the words mean</h3>\n<dl>\n"
	"<dt>regressed, improved</dt><dd>changed by more than the threshold; of those so called, at most the error rate is wrong</dd>\n"
	"<dt>unchanged</dt><dd>shown to lie within the threshold, not merely no difference found</dd>\n"
	"<dt>inconclusive</dt><dd>neither could be shown</dd>\n"
	"<dt>invocation</dt><dd>a fresh process in which all variants take turns; the interval is over invocations, not over readings</dd>\n"
	"<dt>block</dt><dd>one balanced round of turns, A B B A</dd>\n"
	"<dt>reading</dt><dd>the time of a batch of launches or runs between two clock reads, divided by their number</dd>\n</dl>\n";

void ba_html_method(ba_page *p)
{
	ba_buf_puts(p->out, "<section aria-labelledby=\"method\">\n"
			    "<h2 id=\"method\">What was measured, and how</h2>\n");
	put_notes(p);
	ba_buf_puts(p->out, "<div class=\"columns\">\n");
	put_environment(p);
	put_decision(p);
	ba_buf_puts(p->out, "</div>\n");
	put_artefacts(p);
	ba_buf_puts(p->out, words);
	if (p->undrawn)
		ba_buf_printf(p->out, "<p>%zu benchmarks have no figures here.</p>\n",
			p->undrawn);
	ba_buf_puts(p->out, "</section>\n");
}
