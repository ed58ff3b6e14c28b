/* Failures, inconclusive comparisons, benchmarks of one side: each reason with its names. */

#include "report/html/page.h"
#include "report/remarks.h"

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
