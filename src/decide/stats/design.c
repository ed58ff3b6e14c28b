#include "stats/sequential.h"

ba_design ba_design_sequential(void)
{
	return (ba_design){
		.looks = 8,
		.at = {4, 5, 6, 8, 12, 16, 24, 32},
		.weight = {.20, .10, .20, .15, .12, .10, .08, .05},
	};
}

ba_design ba_design_of_rule(unsigned rule)
{
	if (rule >= BA_RULE_GAPS)
		return ba_design_sequential();
	return (ba_design){
		.looks = 7,
		.at = {4, 6, 8, 12, 16, 24, 32},
		.weight = {.20, .20, .20, .15, .10, .10, .05},
	};
}

/* No test can show anything at the first look: it is for counts that repeat exactly. */
ba_design ba_design_counts(void)
{
	return (ba_design){
		.looks = 5,
		.at = {2, 3, 4, 6, 8},
		.weight = {.05, .30, .30, .20, .15},
	};
}

ba_design ba_design_fixed(size_t invocations)
{
	BA_REQUIRE(invocations >= 2);
	return (ba_design){.looks = 1, .at = {invocations}, .weight = {1}};
}

size_t ba_design_last(const ba_design *design)
{
	return design->at[design->looks - 1];
}

size_t ba_design_looks_within(const ba_design *design, size_t invocations)
{
	size_t looks = 0;
	while (looks < design->looks && design->at[looks] <= invocations)
		looks++;
	return looks;
}
