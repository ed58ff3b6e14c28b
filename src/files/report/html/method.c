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
	ba_html_fact(out, "command", r->run.command_line);
	ba_html_fact(out, "exit status", status);
	ba_html_fact(out, "repository", r->run.repository);
	ba_html_fact(out, "configuration", r->run.config_path);
	ba_html_fact(out, "engine", files ? "" : r->run.engine);
	ba_html_fact(out, "why not the duet engine", r->run.engine_reason);
	ba_html_fact(out, "seed", files ? "" : seed);
	ba_html_fact(out, "error rate", r->run.variant_count > 1 ? alpha.data : "");
	ba_html_fact(out, "correction for multiple comparisons", r->decided.multiplicity);
	ba_html_fact(out, "evaluated after invocations", looks.data);
	ba_html_fact(out, "stopped by", r->decided.stopped);
	ba_html_fact(out, "gate", r->decided.gate_strict ? "strict" : "");
	ba_html_fact(out, "suite SHA-256", r->run.suite_sha256);
	ba_html_fact(out, "bench-against", r->run.tool_version);
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
	ba_html_environment(p->out, &p->r->run.env);
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
