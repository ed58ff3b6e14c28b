#include "engine/spec.h"

int ba_failure_blame(ba_failure *f, size_t variant, char *text)
{
	ba_failure_dispose(f);
	f->variant = (int)variant;
	f->code = BA_EVARIANT;
	f->text = text;
	return ba_fail(f->err, BA_EVARIANT, "%s", text);
}

void ba_failure_dispose(ba_failure *f)
{
	free(f->text);
	free(f->output);
	*f = (ba_failure){.err = f->err};
}
