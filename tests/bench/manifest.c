/* What it costs to list a tree with the digests of its files: manifest DIR ROUNDS.
 * Prints the milliseconds of each round; tests/bench/manifest.sh compares them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/manifest.h"
#include "base/number.h"

int main(int argc, char **argv)
{
	uint64_t rounds = 5;
	ba_error err = {0};
	if (argc < 2 || (argc > 2 && ba_parse_u64(&rounds, argv[2], 1, 1000, "", NULL))) {
		fprintf(stderr, "usage: manifest DIR [ROUNDS]\n");
		return 129;
	}
	for (uint64_t i = 0; i < rounds; i++) {
		BA_AUTO(ba_manifest) ba_manifest m = {0};
		uint64_t bytes = 0;
		int64_t start = ba_now_ns();
		if (ba_manifest_scan(&m, argv[1], NULL, NULL, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 125;
		}
		int64_t end = ba_now_ns();
		for (size_t k = 0; k < m.count; k++)
			bytes += m.entries[k].size;
		printf("%.1f ms, %zu entries, %.1f MB\n", (double)(end - start) / 1e6, m.count,
			(double)bytes / 1e6);
	}
	return 0;
}
