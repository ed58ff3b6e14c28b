/* `bench-against demo DIR`: a repository with three variants to try the tool on. */

#include "cli/cmd.h"
#include "demo/demo.h"

static void print_branches(void)
{
	for (const char *const *b = ba_demo_branches; *b; b++)
		printf(" %s", *b);
}

int ba_cmd_demo(ba_call *call, ba_error *err)
{
	const char *dir = call->operands.items[0];
	BA_TRY(ba_demo_create(dir, err));
	printf("Made '%s', a git repository with the branches", dir);
	print_branches();
	printf(".\nNow: cd '%s' && bench-against", dir);
	print_branches();
	puts("\n(without a GPU: add --target host)");
	return 0;
}
