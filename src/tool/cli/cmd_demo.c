/* `bench-against demo DIR`: makes a repository with three variants to try the tool
 * on. */
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/context.h"
#include "demo/demo.h"

int ba_cmd_demo(int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_strv) ba_strv operands = {0};
	ba_options_init(&o);
	int rc = ba_options_parse(&o, &operands, "demo", BA_FOR_DEMO, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (rc == 0 && operands.count != 1)
		rc = ba_fail(&err, BA_EINVAL,
			"demo takes one directory, which must be empty or not exist: bench-against demo DIR");
	rc = rc ? rc : ba_demo_create(operands.items[0], &err);
	if (rc)
		return ba_context_complain(NULL, &err);
	printf("Made '%s', a git repository with the branches", operands.items[0]);
	for (const char *const *b = ba_demo_branches; *b; b++)
		printf(" %s", *b);
	printf(".\nNow: cd '%s' && bench-against", operands.items[0]);
	for (const char *const *b = ba_demo_branches; *b; b++)
		printf(" %s", *b);
	puts("\n(without a GPU: add --target host)");
	return ba_context_end(0);
}
