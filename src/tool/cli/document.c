#include "cli/document.h"

#include <stdio.h>

#include "base/base.h"
#include "base/shell.h"

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
