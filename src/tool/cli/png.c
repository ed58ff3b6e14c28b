#include "cli/png.h"

#include "base/clock.h"
#include "proc/proc.h"

enum { PNG_BYTES_MOST = 64 << 20 };

static int complain(const ba_proc_result *result, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	BA_AUTO_FREE char *said = ba_text_safe(ba_text_last_lines(result->err.data, 1));
	ba_proc_result_text(&how, result);
	return ba_fail(err, BA_EIO, "rsvg-convert %s%s%s", how.data, *said ? ": " : "", said);
}

int ba_png_of_svg(ba_buf *out, const ba_buf *svg, ba_error *err)
{
	static const char *const argv[] = {"rsvg-convert", "--format=png", "--zoom=2", NULL};
	static const char magic[] = "\x89PNG\r\n\x1a\n";
	ba_proc_spec spec = {.argv = argv,
		.stdin_data = svg->data,
		.stdin_size = svg->len,
		.out = {BA_OUTPUT_HEAD, PNG_BYTES_MOST},
		.err = {BA_OUTPUT_TAIL, 4096},
		.limit_ns = 60 * BA_SECOND};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	if (ba_proc_run(&result, &spec, NULL) < 0)
		return ba_fail(err, BA_EUNSUPPORTED,
			"a PNG needs the program 'rsvg-convert' (package librsvg2-bin on Debian and Ubuntu, librsvg2-tools on Fedora); a file that ends in .svg needs nothing");
	if (!ba_proc_result_ok(&result) || result.out_dropped || result.out.len < sizeof(magic) ||
		memcmp(result.out.data, magic, sizeof(magic) - 1) != 0)
		return complain(&result, err);
	ba_buf_put(out, result.out.data, result.out.len);
	return 0;
}
