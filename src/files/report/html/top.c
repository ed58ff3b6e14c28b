/* The top of the page: the answer, warnings, what was compared, and why something failed, is
 * inconclusive or has one side only: each reason with its names. */

#include "report/html/page.h"
#include "report/remarks.h"
#include "report/view.h"

/* the verdicts in the order of the rows */
static void put_counts(ba_page *p)
{
	const ba_ranking *k = p->ranking;
	bool seen[BA_VERDICT_COUNT] = {false};
	size_t moved = BA_HOW_MANY(k->rows, k->deciding, row,
		row->candidate &&
			ba_comparison_shift(&row->series->comparisons[row->candidate - 1]));
	if (p->r->run.variant_count < 2 || !k->deciding)
		return;
	ba_buf_puts(p->out, "<ul class=\"tally\" aria-label=\"verdicts\">\n");
	for (size_t i = 0; i < k->deciding; i++) {
		ba_verdict v = k->rows[i].verdict;
		if (seen[v])
			continue;
		seen[v] = true;
		BA_AUTO_FREE char *word = ba_xprintf("%zu %s", k->verdict[v], ba_verdict_name(v));
		ba_buf_puts(p->out, "<li>");
		ba_html_badge(p->out, v, word);
		if (v == BA_VERDICT_UNCHANGED && moved)
			ba_buf_printf(
				p->out, " (%zu slower or faster within the threshold)", moved);
		ba_buf_puts(p->out, "</li>\n");
	}
	ba_buf_puts(p->out, "</ul>\n");
}

void ba_html_verdict(ba_page *p)
{
	const ba_result *r = p->r;
	BA_AUTO(ba_buf) ba_buf where = BA_BUF_INIT;
	ba_buf_printf(p->out,
		"<header class=\"answer %s\">\n<p class=\"tool\">bench-against</p>\n<h1>",
		ba_html_class(r->decided.verdict));
	ba_html_badge(p->out, r->decided.verdict, ba_verdict_name(r->decided.verdict));
	ba_markup_printf(p->out, "</h1>\n<p class=\"lead\">%s</p>\n",
		r->decided.answer ? r->decided.answer : "");
	put_counts(p);
	ba_device_text(&where, r);
	ba_buf_puts(&where, "; ");
	if (ba_measured_is_of_files(&r->run))
		ba_buf_puts(&where, "read from files, ");
	else
		ba_buf_printf(&where, "%s engine, ", r->run.engine ? r->run.engine : "");
	ba_invocations_text(&where, r);
	if (!ba_measured_is_of_files(&r->run))
		ba_buf_printf(&where, ", %.3g s", r->run.wall_seconds);
	if (r->run.started)
		ba_buf_printf(&where, "; %s", r->run.started);
	ba_markup_printf(p->out, "<p class=\"where\">%s</p>\n</header>\n", where.data);
}

/* "what is wrong — What to do." */
static void put_warning(ba_buf *out, const char *text)
{
	static const char dash[] = " — ";
	const char *remedy = strstr(text, dash);
	ba_buf_puts(out, "<li>");
	if (remedy) {
		BA_AUTO_FREE char *what = ba_xstrndup(text, (size_t)(remedy - text));
		ba_markup_printf(out, "%s: <strong>%s</strong>", what, remedy + strlen(dash));
	} else {
		ba_html_sentence(out, text);
	}
	ba_buf_puts(out, "</li>\n");
}

void ba_html_warnings(ba_page *p)
{
	const ba_strv *w = &p->r->run.env.warnings;
	enum { MOST = 50 };
	bool fake = ba_environment_is_fake(&p->r->run.env);
	if (!w->count && !fake)
		return;
	ba_buf_puts(p->out, "<section class=\"warnings\" aria-labelledby=\"warnings\">\n"
			    "<h2 id=\"warnings\">Warnings</h2>\n<ul>\n");
	if (fake)
		put_warning(p->out, ba_test_driver_warning);
	for (size_t i = 0; i < w->count && i < MOST; i++)
		put_warning(p->out, w->items[i]);
	if (w->count > MOST)
		ba_buf_printf(p->out, "<li>and %zu more</li>\n", w->count - MOST);
	ba_buf_puts(p->out, "</ul>\n</section>\n");
}

void ba_html_variants(ba_page *p)
{
	const ba_result *r = p->r;
	ba_html_section(p, "variants", "Variants");
	ba_table_html_begin(p->out, "aria-labelledby=\"variants\"", NULL);
	ba_buf_puts(p->out,
		"<th scope=\"col\">variant</th><th scope=\"col\">role</th><th scope=\"col\">commit</th><th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < r->run.variant_count && i < BA_PAGE_ROWS; i++) {
		const ba_variant *v = &r->run.variants[i];
		BA_AUTO(ba_buf) ba_buf about = BA_BUF_INIT;
		ba_variant_about(&about, v);
		BA_AUTO_FREE char *commit = ba_xprintf("%.9s", v->commit);
		ba_markup_printf(p->out,
			"<tr><th scope=\"row\">%n</th><td>%w</td><td class=\"commit\"><code>%m</code></td><td>%s</td></tr>\n",
			v->label, i ? "candidate" : "baseline", commit, about.data);
	}
	ba_table_html_end(p->out);
	ba_buf_puts(p->out, "</section>\n");
}

enum { NAMES_OPEN = 6, NAMES_MOST = 500 };

static void put_name(ba_page *p, size_t benchmark)
{
	const ba_series *s = BA_FIND(p->r->series, p->r->series_count, x,
		x->benchmark == benchmark && p->detailed[x - p->r->series]);
	if (s)
		ba_buf_printf(p->out, "<a href=\"#s%zu\">", (size_t)(s - p->r->series));
	ba_markup_printf(p->out, "%n%w", p->r->run.benchmarks[benchmark].id, s ? "</a>" : "");
}

/* Shows a few names openly and folds more; a single name is in the sentence. */
static void put_names(ba_page *p, const ba_remark *m)
{
	bool fold = m->count > NAMES_OPEN;
	if (m->count < 2)
		return;
	if (fold)
		ba_buf_printf(p->out, "<details><summary>these %zu</summary>", m->count);
	ba_buf_puts(p->out, "<ul class=\"names\">\n");
	for (size_t i = 0; i < m->count && i < NAMES_MOST; i++) {
		ba_buf_puts(p->out, "<li>");
		put_name(p, m->benchmarks[i]);
		ba_buf_puts(p->out, "</li>\n");
	}
	if (m->count > NAMES_MOST)
		ba_buf_printf(p->out, "<li>and %zu more</li>\n", m->count - NAMES_MOST);
	ba_buf_puts(p->out, fold ? "</ul></details>" : "</ul>");
}

void ba_html_reasons(ba_page *p)
{
	BA_AUTO(ba_remarks) ba_remarks all = {0};
	ba_remarks_of(&all, p->r, false);
	if (!all.count)
		return;
	ba_html_section(p, "reasons", "Reasons");
	ba_buf_puts(p->out, "<ul class=\"reasons\">\n");
	BA_EACH (const ba_remark, m, all.items, all.count) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_remark_put(&text, p->r, m);
		ba_buf_puts(p->out, "<li>");
		ba_html_badge(p->out, m->verdict, "");
		ba_html_sentence(p->out, text.data);
		put_names(p, m);
		ba_buf_puts(p->out, "</li>\n");
	}
	ba_buf_puts(p->out, "</ul>\n</section>\n");
}
