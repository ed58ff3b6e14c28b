#include "cli/document.h"

#include "import/import.h"
#include "store/results.h"

void ba_document_warn(ba_result *r, const char *path)
{
	if (r->document.state != BA_DOCUMENT_DIFFERS)
		return;
	BA_AUTO(ba_buf) ba_buf quoted = BA_BUF_INIT;
	ba_shell_put(&quoted, path);
	char *text = ba_xprintf(
		"'%s' was damaged or edited after bench-against wrote it: its content may be wrong; to compute it again from the samples: bench-against verify %s",
		path, quoted.data);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	fprintf(stderr, "bench-against: warning: %s\n", safe);
	ba_strv_push_take(&r->run.notes, text);
}

int ba_document_read(ba_result *r, const char *path, ba_error *err)
{
	const ba_import_format *format = NULL;
	ba_error foreign = {0};
	int rc = ba_results_read_some(r, path, BA_RESULTS_READINGS_HELD, err);
	if (rc == 0)
		ba_document_warn(r, path);
	if (rc == 0)
		return 0;
	/* else a directory is treated as Criterion's, and text as Go's */
	if (ba_fs_is_dir(path))
		return rc;
	if (ba_import_read(&format, path, NULL, &(ba_sink){0}, &foreign) && format &&
		strcmp(format->name, "go") == 0)
		return rc;
	if (!format || ba_text_starts(format->name, "bench-against"))
		return rc;
	return ba_fail(err, rc,
		"%s: a file of %s, which has no verdicts; compare it with another: bench-against compare BASELINE %s, or bench-against plot BASELINE %s",
		path, format->title, path, path);
}
