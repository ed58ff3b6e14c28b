/* The results document itself; there is one shape of JSON, not two. */
#include "report/format.h"
#include "store/results.h"

void ba_json_format_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	if (!o->file) {
		ba_results_format(out, r);
		return;
	}
	fwrite(out->data, 1, out->len, o->file);
	ba_buf_clear(out);
	(void)ba_results_put(o->file, r, NULL); /* its owner looks at ferror() */
}
