/* The results document itself; there is one shape of JSON, not two. */
#include "report/format.h"
#include "store/results.h"

void ba_json_format_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	(void)o;
	ba_results_format(out, r);
}
