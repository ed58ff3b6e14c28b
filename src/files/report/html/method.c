/* The end of the page: the system, the method and the code that was measured. */

#include "report/html/page.h"
#include "report/view.h"

static void begin_facts(ba_buf *out, const char *caption)
{
	ba_buf_printf(out, "<table class=\"facts\">\n<caption>%s</caption>\n<tbody>\n", caption);
}

static void end_facts(ba_buf *out)
{
	ba_buf_puts(out, "</tbody>\n</table>\n");
}

/* nothing for an empty text */
static void put_fact(ba_buf *out, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	ba_markup_printf(out, "<tr><th scope=\"row\">%w</th><td>%s</td></tr>\n", name, text);
}

typedef enum kind {
	TEXT,	 /* char * */
	INTEGER, /* int */
	COUNT,	 /* unsigned */
	BYTES,	 /* int64_t */
	REAL,	 /* double */
} kind;

typedef struct fact {
	const char *name;
	size_t offset; /* in ba_environment */
	kind kind;
	/* true of GPUs only: the driver of the host target makes these values up */
	bool of_gpu;
	double least;	  /* smaller numbers mean "unknown" */
	double divide_by; /* 0: 1 */
	const char *unit;
} fact;

#define FACT(name, member, ...)                                     \
	{                                                           \
		name, offsetof(ba_environment, member), __VA_ARGS__ \
	}
#define GPU true
#define HOST false
#define SOME 1e-300 /* above zero */

static const fact facts[] = {
	FACT("target", target, TEXT, HOST),
	FACT("device", device_name, TEXT, GPU),
	FACT("UUID", device_uuid, TEXT, GPU),
	FACT("compute capability", compute_capability, TEXT, GPU),
	FACT("driver", driver_version, TEXT, GPU),
	FACT("CUDA", cuda_version, TEXT, GPU),
	FACT("PCI address", pci_bus_id, TEXT, GPU),
	FACT("ECC", ecc, TEXT, GPU),
	FACT("MIG", mig, TEXT, GPU),
	FACT("virtualization", virtualization, TEXT, GPU),
	FACT("multiprocessors", sm_count, INTEGER, GPU, 1),
	FACT("GPU memory", memory_bytes, BYTES, GPU, 1, 1 << 30, " GiB"),
	FACT("SM clock", sm_clock_mhz, INTEGER, GPU, 1, 1, " MHz"),
	FACT("memory clock", memory_clock_mhz, INTEGER, GPU, 1, 1, " MHz"),
	FACT("power", power_watts, REAL, GPU, SOME, 1, " W"),
	FACT("power limit", power_limit_watts, REAL, GPU, SOME, 1, " W"),
	FACT("temperature", temperature_c, INTEGER, GPU, 1, 1, " °C"),
	FACT("other processes on the GPU", other_processes, INTEGER, GPU, 1),
	FACT("host", host_name, TEXT, HOST),
	FACT("CPU", cpu_model, TEXT, HOST),
	FACT("CPUs", cpus, INTEGER, HOST, 1),
	FACT("pinned to CPU", pinned_cpu, INTEGER, HOST),
	FACT("load average at the start", load_average, REAL, HOST, SOME),
	FACT("kernel", kernel, TEXT, HOST),
	FACT("CPU frequency governor", governor, TEXT, HOST),
	FACT("clock source", clocksource, TEXT, HOST),
	FACT("cost of a clock read", timer_read_ns, REAL, HOST, SOME, 1, " ns"),
	FACT("resolution of the clock", timer_tick_ns, REAL, HOST, SOME, 1, " ns"),
	FACT("queue depth", queue_depth, COUNT, GPU, 1, 1, " launches"),
	FACT("resolution of event times", event_tick_ns, REAL, GPU, SOME, 1, " ns"),
	FACT("time between two adjacent events", event_pair_ns, REAL, GPU, SOME, 1, " ns"),
	FACT("L2 cache", l2_bytes, BYTES, GPU, 1, 1 << 20, " MiB"),
	FACT("L2 flushed by", flush, TEXT, GPU),
	FACT("copy ceiling", copy_gb_per_s, REAL, GPU, SOME, 1, " GB/s"),
	FACT("matrix ceiling", matrix_gflop_per_s, REAL, GPU, SOME, 1, " GFLOP/s"),
};

static double number_at(const void *at, kind k)
{
	switch (k) {
	case INTEGER:
		return *(const int *)at;
	case COUNT:
		return *(const unsigned *)at;
	case BYTES:
		return (double)*(const int64_t *)at;
	default:
		return *(const double *)at;
	}
}

/* A row for each known fact; on the host target, none about its stand-in for a GPU. */
static void put_environment(ba_buf *out, const ba_environment *e)
{
	bool host = ba_environment_is_host(e);
	BA_EACH (const fact, f, facts, BA_COUNT(facts)) {
		const void *at = (const char *)e + f->offset;
		if (host && f->of_gpu)
			continue;
		if (f->kind == TEXT) {
			put_fact(out, f->name, *(char *const *)at);
			continue;
		}
		double x = number_at(at, f->kind);
		if (!(x >= f->least))
			continue;
		x = f->divide_by > 0 ? x / f->divide_by : x;
		int decimals = floor(x) < x ? ba_number_decimals(x, NAN) : 0;
		BA_AUTO_FREE char *text = ba_xprintf("%.*f%s", decimals, x, f->unit ? f->unit : "");
		put_fact(out, f->name, text);
	}
}

static void put_decision(ba_page *p)
{
	const ba_result *r = p->r;
	ba_buf *out = p->out;
	BA_AUTO(ba_buf) ba_buf looks = BA_BUF_INIT, alpha = BA_BUF_INIT;
	BA_AUTO_FREE char *seed = ba_xprintf("%" PRIu64, r->run.seed);
	BA_AUTO_FREE char *status = ba_xprintf("%d", r->decided.exit_status);
	for (size_t i = 0; i < r->decided.design.looks; i++)
		ba_buf_printf(&looks, "%s%zu", i ? ", " : "", r->decided.design.at[i]);
	ba_percent_plain(&alpha, r->decided.alpha);
	bool files = ba_measured_is_of_files(&r->run);
	begin_facts(out, files ? "How it was decided" : "How it was measured and decided");
	put_fact(out, "command", r->run.command_line);
	put_fact(out, "exit status", status);
	put_fact(out, "repository", r->run.repository);
	put_fact(out, "configuration", r->run.config_path);
	put_fact(out, "engine", files ? "" : r->run.engine);
	put_fact(out, "why not the duet engine", r->run.engine_reason);
	put_fact(out, "seed", files ? "" : seed);
	put_fact(out, "error rate", r->run.variant_count > 1 ? alpha.data : "");
	put_fact(out, "correction for multiple comparisons", r->decided.multiplicity);
	put_fact(out, "evaluated after invocations", looks.data);
	put_fact(out, "stopped by", r->decided.stopped);
	put_fact(out, "gate", r->decided.gate_strict ? "strict" : "");
	put_fact(out, "suite SHA-256", r->run.suite_sha256);
	put_fact(out, "bench-against", r->run.tool_version);
	end_facts(out);
}

static void put_artefacts(ba_page *p)
{
	enum { MOST = 200 };
	size_t count = 0;
	if (!BA_ANY(p->r->run.variants, p->r->run.variant_count, x, x->artefact_count))
		return;
	begin_facts(p->out, "What ran: SHA-256 of each loaded file");
	for (size_t i = 0; i < p->r->run.variant_count && i < BA_PAGE_ROWS; i++) {
		const ba_variant *v = &p->r->run.variants[i];
		for (size_t a = 0; a < v->artefact_count && count < MOST; a++, count++) {
			ba_markup_printf(p->out,
				"<tr><th scope=\"row\">%n</th><td>%n<br><code>%m</code></td></tr>\n",
				v->label, v->artefacts[a].path, v->artefacts[a].sha256);
		}
	}
	end_facts(p->out);
}

static void put_list(ba_page *p, const char *title, const ba_strv *notes)
{
	enum { MOST = 100 };
	if (!notes->count)
		return;
	ba_buf_printf(p->out, "<h3>%s</h3>\n<ul>\n", title);
	for (size_t i = 0; i < notes->count && i < MOST; i++)
		ba_markup_printf(p->out, "<li>%s</li>\n", notes->items[i]);
	if (notes->count > MOST)
		ba_buf_printf(p->out, "<li>and %zu more</li>\n", notes->count - MOST);
	ba_buf_puts(p->out, "</ul>\n");
}

static void put_spent(ba_page *p)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_spent_text(&text, p->r);
	if (text.len)
		ba_buf_printf(p->out, "<p>Where the time of this run went: %s.</p>\n", text.data);
}

/* RESULTS<TAB>WORD<TAB>MEANING, where RESULTS is "all", "comparison" or "measurement" */
extern const char ba_page_words[];
BA_EMBED(ba_page_words, BA_ASSET_DIR "/words.txt");

static void put_words(ba_page *p)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	const char *without = p->r->run.variant_count < 2	    ? "comparison"
			      : ba_measured_is_of_files(&p->r->run) ? "measurement"
								    : "";
	ba_strv_split(&lines, ba_page_words, '\n');
	ba_buf_puts(p->out, "<h3>What the words mean</h3>\n<dl class=\"words\">\n");
	for (size_t i = 0; i < lines.count; i++) {
		BA_AUTO(ba_strv) ba_strv parts = {0};
		ba_strv_split(&parts, lines.items[i], '\t');
		if (parts.count == 3 && strcmp(parts.items[0], without) != 0)
			ba_buf_printf(p->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", parts.items[1],
				parts.items[2]);
	}
	ba_buf_puts(p->out, "</dl>\n");
}

void ba_html_method(ba_page *p)
{
	BA_AUTO(ba_strv) ba_strv places = {0};
	ba_places_sentences(&places, p->r, true);
	ba_html_section(p, "method", "What was measured, and how");
	put_list(p, "GPUs", &places);
	put_list(p, "Notes", &p->r->run.notes);
	ba_buf_puts(p->out, "<div class=\"columns\">\n");
	begin_facts(p->out, "Environment");
	put_environment(p->out, &p->r->run.env);
	end_facts(p->out);
	put_decision(p);
	ba_buf_puts(p->out, "</div>\n");
	put_artefacts(p);
	put_spent(p);
	put_words(p);
	if (p->undrawn)
		ba_buf_printf(p->out,
			"<p>%zu %s no figures, because the page would be too large.</p>\n",
			p->undrawn, ba_plural(p->undrawn, "benchmark has", "benchmarks have"));
	ba_buf_puts(p->out, "</section>\n");
}
