/* inputs SEED WHICH COUNT [FIRST]: the seed of that array, then elements as the bits of
 * floats */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	uint64_t seed =
		inputs_seed(strtoull(argv[1], NULL, 10), 0, (unsigned)strtoul(argv[2], NULL, 10));
	uint64_t count = strtoull(argv[3], NULL, 10);
	uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;

	printf("%" PRIu64 "\n", seed);
	for (uint64_t i = first; i < first + count; i++) {
		float x = inputs_normal(seed, i);
		uint32_t bits;

		memcpy(&bits, &x, sizeof(bits));
		printf("%08" PRIx32 "\n", bits);
	}
	return 0;
}
