#include "cli/document.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"

void ba_document_warn(ba_result *r, const char *path)
{
	if (r->document != BA_DOCUMENT_DIFFERS)
		return;
	char *text = ba_xprintf(
		"'%s' was damaged or edited after bench-against wrote it: its content may be wrong ('bench-against verify' computes it again from the samples)",
		path);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	fprintf(stderr, "bench-against: warning: %s\n", safe);
	ba_strv_push_take(&r->notes, text);
}
