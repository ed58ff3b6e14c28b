#include "stats/verdict.h"

static const struct {
	const char *name;
	bool decided;
} verdicts[] = {
#define BA_VERDICT_ROW(code, name, decided) [code] = {name, decided},
	BA_VERDICT_MAP(BA_VERDICT_ROW)
#undef BA_VERDICT_ROW
};

const char *ba_verdict_name(ba_verdict v)
{
	return verdicts[v].name;
}

bool ba_verdict_is_decided(ba_verdict v)
{
	return verdicts[v].decided;
}

bool ba_verdict_is_slower(ba_verdict v)
{
	return v == BA_VERDICT_REGRESSED || v == BA_VERDICT_TAIL_REGRESSED;
}

bool ba_verdict_is_faster(ba_verdict v)
{
	return v == BA_VERDICT_IMPROVED || v == BA_VERDICT_TAIL_IMPROVED;
}
