/* The page's figures of ways to do the same thing, side by side. */
#include "report/format.h"
#include "report/html/page.h"

void ba_html_across(ba_page *p)
{
	const ba_across *a = p->across;
	if (!a)
		return;
	ba_html_section(p, "across", "Side by side");
	ba_buf_puts(p->out, "<p>");
	ba_html_sentence(p->out, ba_across_caution);
	ba_buf_puts(p->out, "</p>\n<div class=\"figures pairs\">\n");
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_figure_subject what = {.metric = (ba_metric)m, .across = a};
		const ba_metric_info *info = ba_metric_get((ba_metric)m);
		BA_AUTO(ba_buf) ba_buf caption = BA_BUF_INIT;
		ba_buf_printf(&caption, "%s: %s", info->name, info->help);
		if (a->has[m])
			ba_html_figure(p, "across", &what, caption.data);
	}
	ba_buf_puts(p->out, "</div>\n</section>\n");
}
