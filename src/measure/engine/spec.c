#include "engine/spec.h"

#include "model/series.h"

int ba_failure_blame(ba_failure *f, size_t variant, char *text)
{
	ba_failure_dispose(f);
	f->variant = (int)variant;
	f->code = BA_EVARIANT;
	f->text = text;
	return ba_fail(f->err, BA_EVARIANT, "%s", text);
}

int ba_failure_accuse(ba_failure *f, size_t variant, char *text)
{
	BA_AUTO_FREE char *mine = text;
	return ba_failure_blame(
		f, variant, ba_xprintf("%s%s", variant ? BA_FAULT_WORDS_CHEATED ": " : "", mine));
}

void ba_failure_dispose(ba_failure *f)
{
	BA_FREE(f->text, f->output);
	*f = (ba_failure){.err = f->err};
}
