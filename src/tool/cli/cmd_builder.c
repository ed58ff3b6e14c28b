/* `bench-against --builder`: builds on a node, for a run (cluster/node_build.h). */

#include "cli/cmd.h"
#include "cluster/node_build.h"

int ba_cmd_builder(const ba_command *c, int argc, char **argv)
{
	BA_AUTO(ba_buf) ba_buf order = BA_BUF_INIT, answer = BA_BUF_INIT;
	char part[4096];
	ssize_t size;
	puts(BA_NODE_MARK);
	while ((size = ba_fs_read_some(STDIN_FILENO, part, sizeof(part))) > 0)
		ba_buf_put(&order, part, (size_t)size);
	ba_node_serve_build(&answer, order.data, order.len);
	fwrite(answer.data, 1, answer.len, stdout);
	return ba_context_end(0);
}
