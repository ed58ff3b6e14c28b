#include "report/html/page.h"

#include "report/format.h"
#include "report/view.h"

extern const char ba_page_css[], ba_page_js[];
BA_EMBED(ba_page_css, BA_ASSET_DIR "/page.css");
BA_EMBED(ba_page_js, BA_ASSET_DIR "/page.js");

void ba_html_section(ba_page *p, const char *id, const char *title)
{
	ba_buf_printf(
		p->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, title);
}

const char *ba_html_class(ba_verdict verdict)
{
	static const char *const classes[BA_INK_COUNT] = {[BA_INK_PLAIN] = "plain",
		[BA_INK_GOOD] = "good",
		[BA_INK_BAD] = "bad",
		[BA_INK_DOUBT] = "doubt"};
	return classes[ba_verdict_ink(verdict)];
}

void ba_html_badge(ba_buf *out, ba_verdict verdict, const char *word)
{
	const char *symbol = ba_verdict_symbol(verdict, true);
	ba_buf_printf(out, "<span class=\"verdict %s\">", ba_html_class(verdict));
	if (*symbol)
		ba_buf_printf(out, "<span aria-hidden=\"true\">%s</span> ", symbol);
	ba_buf_printf(out, "%s</span>", word);
}

bool ba_html_figure(
	ba_page *p, const char *name, const ba_figure_subject *what, const char *caption)
{
	BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
	if (p->figure_bytes > BA_PAGE_FIGURE_BYTES ||
		!ba_figure_render(&svg, p->r, ba_figure_named(name), what, false))
		return false;
	p->figure_bytes += svg.len;
	ba_buf_puts(p->out, "<figure>\n<figcaption>");
	ba_markup_put_short(p->out, caption, BA_HTML_NAME_COLUMNS);
	ba_buf_puts(p->out, "</figcaption>\n");
	ba_buf_put(p->out, svg.data, svg.len);
	ba_buf_puts(p->out, "</figure>\n");
	return true;
}

/* The digest of the script in the form that Content-Security-Policy requires. */
static void put_digest(ba_buf *out, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char hex[65];
	unsigned char bytes[33] = {0}; /* one more byte, for the last group of three */
	ba_sha256_of(hex, text, strlen(text));
	for (size_t i = 0; i < 32; i++) {
		const char pair[] = {hex[2 * i], hex[2 * i + 1], '\0'};
		bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
	}
	for (size_t i = 0; i < 33; i += 3) {
		unsigned long v = (unsigned long)bytes[i] << 16 | (unsigned long)bytes[i + 1] << 8 |
				  bytes[i + 2];
		ba_buf_putc(out, digits[v >> 18 & 63]);
		ba_buf_putc(out, digits[v >> 12 & 63]);
		ba_buf_putc(out, digits[v >> 6 & 63]);
		ba_buf_putc(out, i < 30 ? digits[v & 63] : '=');
	}
}

static void put_title(ba_buf *out, const ba_result *r)
{
	ba_buf_printf(out, "%s: ", ba_verdict_name(r->decided.verdict));
	for (size_t i = 1; i < r->run.variant_count && i < 5; i++) {
		ba_buf_puts(out, i > 1 ? ", " : "");
		ba_markup_put_short(out, r->run.variants[i].label, 40);
	}
	if (r->run.variant_count > 5)
		ba_buf_printf(out, " and %zu more", r->run.variant_count - 5);
	ba_buf_puts(out, r->run.variant_count > 1 ? " against " : "");
	ba_markup_put_short(out, r->run.variants[0].label, 40);
}

void ba_html_head(ba_buf *out, const char *title)
{
	ba_buf_puts(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;; script-src &#39;sha256-");
	put_digest(out, ba_page_js);
	ba_buf_puts(out,
		"&#39;\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n");
	ba_buf_printf(out, "<title>%s</title>\n<style>\n%s%s</style>\n</head>\n", title,
		ba_page_css, ba_figure_css);
}

/* Gives the series of each row a section, as far as there is room. */
static void choose_details(ba_page *p)
{
	const ba_ranking *k = p->ranking;
	p->rows = k->count < BA_PAGE_ROWS ? k->count : BA_PAGE_ROWS;
	for (size_t i = 1; i < p->rows; i++)
		p->many_metrics |= k->rows[i].series->metric != k->rows[0].series->metric;
	for (size_t i = 0; i < p->rows && p->details < BA_PAGE_DETAILS; i++) {
		bool *has = &p->detailed[k->rows[i].series - p->r->series];
		p->details += !*has;
		*has = true;
	}
}

static void choose_unit(ba_page *p)
{
	BA_AUTO_FREE const ba_series **series = ba_xcalloc(p->rows + 1, sizeof(*series));
	for (size_t i = 0; i < p->rows; i++)
		series[i] = p->ranking->rows[i].series;
	p->unit = ba_unit_of_all(p->r, series, p->rows, true);
	/* launches and runs, or times and rates, have no common unit */
	for (size_t i = 1; i < p->rows; i++)
		if (strcmp(series[i]->info->unit, series[0]->info->unit) != 0)
			p->unit.name = NULL;
}

static void write_page(ba_buf *out, const ba_result *r, const ba_across *a)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	BA_AUTO(ba_buf) ba_buf title = BA_BUF_INIT;
	BA_AUTO_FREE bool *detailed = ba_xcalloc(r->series_count + 1, sizeof(bool));
	ba_ranking_of(&k, r);
	ba_page p = {.out = out, .r = r, .ranking = &k, .across = a, .detailed = detailed};
	choose_details(&p);
	choose_unit(&p);
	put_title(&title, r);
	ba_html_head(out, title.data);
	ba_buf_puts(out, "<body>\n<a class=\"skip\" href=\"#results\">To the results</a>\n"
			 "<main>\n");
	ba_html_verdict(&p);
	ba_html_warnings(&p);
	ba_html_variants(&p);
	ba_html_reasons(&p);
	ba_html_table(&p);
	ba_html_factors(&p);
	ba_html_across(&p);
	ba_html_overview(&p);
	ba_html_details(&p);
	ba_html_why(&p);
	ba_html_code(&p);
	ba_html_method(&p);
	ba_buf_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", ba_page_js);
}

void ba_html_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	write_page(out, r, NULL);
}

void ba_across_html_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o)
{
	write_page(out, r, a);
}
