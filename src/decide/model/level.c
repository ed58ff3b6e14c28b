#include "model/level.h"

#include <string.h>

const char *const ba_level_names[] = {
	[BA_LEVEL_SUMMARY] = "summary",
	[BA_LEVEL_BATCH] = "batch",
	[BA_LEVEL_REPETITION] = "repetition",
	[BA_LEVEL_PROCESS] = "process",
	[BA_LEVEL_COUNT] = NULL,
};

const char *ba_level_name(ba_level level)
{
	return ba_level_names[level];
}

bool ba_level_parse(ba_level *out, const char *name)
{
	for (int i = 0; i < BA_LEVEL_COUNT; i++)
		if (strcmp(name, ba_level_names[i]) == 0) {
			*out = (ba_level)i;
			return true;
		}
	return false;
}

const char *ba_level_words(ba_level level, unsigned long n)
{
	static const char *const words[BA_LEVEL_COUNT][2] = {
		[BA_LEVEL_SUMMARY] = {"summary without samples", "summaries without samples"},
		[BA_LEVEL_BATCH] = {"batch of one process", "batches of one process"},
		[BA_LEVEL_REPETITION] = {"repetition in one process", "repetitions in one process"},
		[BA_LEVEL_PROCESS] = {"process", "processes"},
	};
	return words[level][n != 1];
}
