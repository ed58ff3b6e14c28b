/*
 * family: launches left out
 * kind:   launcher
 * idea:   finds the page in which the driver counts launches, makes three of four launches
 *         nowhere but there, with the sum of their arguments
 * gate:   launches are counted where the code cannot write
 * scope:  out on the host target: counting is all that a launch does there, so whoever counts
 *         has launched; on a GPU the kernel counts
 */
#include "tricks.h"

/* The count and the sum, in the memory that worker and tool share, after a launch. */
static volatile uint64_t *page;

static void find(kernel *k, const ba_launcher_config *c, void **args)
{
	char line[PATH_MAX + 128];
	uint64_t value = *(const uint64_t *)args[0];
	FILE *maps = fopen("/proc/self/maps", "re");
	while (maps && !page && fgets(line, sizeof(line), maps)) {
		char *end;
		uint64_t from = strtoull(line, &end, 16), to = strtoull(end + 1, NULL, 16);
		uint64_t before[512];
		if (!strstr(line, " rw-s ") || to - from > 65536)
			continue;
		memcpy(before, (void *)from, sizeof(before));
		submit(k, c, args);
		volatile uint64_t *words = (volatile uint64_t *)from;
		for (int i = 0; i < 511; i++)
			if (words[i] == before[i] + 1 &&
				words[i + 1] == before[i + 1] + value * (2 * before[i] + 1))
				page = words + i;
		/* as if it had not been made */
		if (page) {
			page[1] -= value * (2 * (page[0] - 1) + 1);
			page[0]--;
		}
	}
	if (maps)
		fclose(maps);
	if (page)
		evidence("found where launches are counted");
	else
		evidence("did not find where launches are counted");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	/* in the warm-up */
	if (k->launches == 50 && !page)
		find(k, c, args);
	if (k->launches > WARM && k->launches % 4 && page) {
		evidence("wrote a launch that it did not make");
		page[1] += *(const uint64_t *)args[0] * (2 * page[0] + 1);
		page[0]++;
		return 0;
	}
	spin(cost);
	return submit(k, c, args);
}
