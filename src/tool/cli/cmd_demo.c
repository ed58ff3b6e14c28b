/* `bench-against demo DIR`: makes a repository with three variants to try the tool
 * on. */

#include "cli/cmd.h"
#include "demo/demo.h"

static void print_branches(void)
{
	for (const char *const *b = ba_demo_branches; *b; b++)
		printf(" %s", *b);
}

int ba_cmd_demo(ba_call *call, ba_error *err)
{
	const ba_strv *operands = &call->operands;
	if (operands->count != 1)
		return ba_fail(err, BA_EINVAL,
			"demo takes one directory, which must be empty or not exist: bench-against demo DIR");
	BA_TRY(ba_demo_create(operands->items[0], err));
	printf("Made '%s', a git repository with the branches", operands->items[0]);
	print_branches();
	printf(".\nNow: cd '%s' && bench-against", operands->items[0]);
	print_branches();
	puts("\n(without a GPU: add --target host)");
	return 0;
}
