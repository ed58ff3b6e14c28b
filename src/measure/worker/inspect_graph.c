
#include "worker/inspect.h"

#define NODES_MOST 4096u
#define PARAMS_MOST 4096u
#define DEPTH_MOST 8u
/* CU_LAUNCH_ATTRIBUTE_...: access policy, cooperative, cluster and how it is scheduled,
 * programmatic serialization, priority, memory domains, carve-out */
static const int node_attributes[] = {1, 2, 4, 5, 6, 8, 9, 10, 14};

static int unsupported(ba_error *err, const char *what)
{
	return ba_fail(err, BA_EUNSUPPORTED, "%s", what);
}

static int asked(const ba_inspection *x, cu_result r, const char *call, ba_error *err)
{
	return r ? ba_fail(err, BA_EUNSUPPORTED, "%s of its capture: %s", call,
			   ba_driver_result_name(x->driver, r))
		 : 0;
}

/* ---- kernels ---- */

static int describe_function(ba_inspection *x, ba_kernel_row *row, ba_error *err)
{
	const char *name = NULL;
	cu_result r = x->driver->func_get_name(&name, row->function);
	if (r || !name)
		return asked(x, r ? r : BA_CU_NOT_FOUND, "cuFuncGetName", err);
	row->name = ba_xstrdup(name);
	for (int a = 0; a <= BA_CU_FUNC_LAST; a++)
		if (x->driver->func_get_attribute(&row->attributes[a], a, row->function))
			row->attributes[a] = -1; /* not known to this driver */
	return ba_images_code(x, row, err);
}

/* The row of that kernel in that shape. */
static int find_row(size_t *out, ba_inspection *x, const cu_kernel_node_params *p,
	cu_function function, ba_error *err)
{
	const ba_kernel_row *same = NULL;
	const uint32_t grid[3] = {p->grid_x, p->grid_y, p->grid_z};
	const uint32_t block[3] = {p->block_x, p->block_y, p->block_z};
	for (size_t i = 0; i < x->kernel_count; i++) {
		const ba_kernel_row *k = &x->kernels[i];
		if (k->function != function)
			continue;
		same = k;
		*out = i;
		if (memcmp(k->grid, grid, sizeof(grid)) == 0 &&
			memcmp(k->block, block, sizeof(block)) == 0 &&
			k->shared_bytes == p->shared_bytes)
			return 0;
	}
	ba_kernel_row row = {.function = function, .shared_bytes = p->shared_bytes};
	if (same) {
		row = *same;
		row.name = ba_xstrdup(same->name);
		row.shared_bytes = p->shared_bytes;
		row.launches = 0;
	}
	memcpy(row.grid, grid, sizeof(grid));
	memcpy(row.block, block, sizeof(block));
	*BA_PUSH(x->kernels, x->kernel_count, x->kernel_capacity) = row;
	*out = x->kernel_count - 1;
	return same ? 0 : describe_function(x, &x->kernels[*out], err);
}

static int add_params(
	ba_inspection *x, const cu_kernel_node_params *p, cu_function function, ba_error *err)
{
	size_t packed_bytes, offset, bytes;
	const unsigned char *packed = cu_packed_params(p->extra, &packed_bytes);
	for (size_t i = 0; i < PARAMS_MOST; i++) {
		if (x->driver->func_get_param_info(function, i, &offset, &bytes))
			return 0; /* the one behind the last */
		const void *value = p->params				       ? p->params[i]
				    : packed && offset + bytes <= packed_bytes ? packed + offset
									       : NULL;
		if (!value)
			return unsupported(err, "the parameters of a launch are unknown");
		ba_sha256_add(&x->work, &bytes, sizeof(bytes));
		BA_TRY(ba_inspect_values(x, value, bytes, err));
	}
	return unsupported(err, "a kernel has too many parameters");
}

static int add_attributes(ba_inspection *x, cu_graph_node node, ba_error *err)
{
	for (size_t i = 0; i < BA_COUNT(node_attributes); i++) {
		uint64_t value[8] = {0};
		cu_result r =
			x->driver->graph_kernel_node_get_attribute(node, node_attributes[i], value);
		/* an attribute that this driver or device does not know */
		if (r)
			memset(value, 0xff, sizeof(value));
		BA_TRY(ba_inspect_values(x, value, sizeof(value), err));
	}
	return 0;
}

/* Launches name a function or a kernel of a library, and a handle of one kind passes
 * for the other. */
static cu_function function_of(const ba_driver *drv, const cu_kernel_node_params *p)
{
	cu_function function = NULL;
	cu_module module = NULL;
	const cu_function handles[2] = {p->kernel, p->function};
	if (p->function && drv->func_get_module(&module, p->function) == 0)
		return p->function;
	for (size_t i = 0; i < 2 && drv->kernel_get_function; i++)
		if (handles[i] && drv->kernel_get_function(&function, handles[i]) == 0)
			return function;
	return p->function;
}

static int add_kernel(ba_inspection *x, cu_graph_node node, ba_error *err)
{
	cu_kernel_node_params p = {0};
	size_t index;
	BA_TRY(asked(x, x->driver->graph_kernel_node_get_params(node, &p),
		"cuGraphKernelNodeGetParams", err));
	cu_function function = function_of(x->driver, &p);
	if (!function)
		return unsupported(err, "a launch names no function");
	BA_TRY(find_row(&index, x, &p, function, err));
	ba_kernel_row *row = &x->kernels[index];
	row->launches++;
	x->launches++;
	ba_sha256_add_string(&x->code, row->code);
	ba_sha256_add(&x->code, row->attributes, sizeof(row->attributes));
	const uint32_t shape[7] = {
		p.grid_x, p.grid_y, p.grid_z, p.block_x, p.block_y, p.block_z, p.shared_bytes};
	ba_sha256_add(&x->work, shape, sizeof(shape));
	BA_TRY(add_attributes(x, node, err));
	return add_params(x, &p, function, err);
}

/* ---- copies ---- */

static int add_memset(ba_inspection *x, cu_graph_node node, ba_error *err)
{
	cu_memset_node_params p = {0};
	BA_TRY(asked(x, x->driver->graph_memset_node_get_params(node, &p),
		"cuGraphMemsetNodeGetParams", err));
	return ba_inspect_values(x, &p, sizeof(p), err);
}

static int add_memcpy(ba_inspection *x, cu_graph_node node, ba_error *err)
{
	cu_memcpy3d p = {0};
	BA_TRY(asked(x, x->driver->graph_memcpy_node_get_params(node, &p),
		"cuGraphMemcpyNodeGetParams", err));
	if (p.from.memory_type != BA_CU_MEMORY_DEVICE || p.to.memory_type != BA_CU_MEMORY_DEVICE)
		return unsupported(err, "it copies from or to the host's memory, or an array");
	return ba_inspect_values(x, &p, sizeof(p), err);
}

/* ---- graphs ---- */

static int add_graph(ba_inspection *x, cu_graph graph, unsigned depth, ba_error *err);

static int add_child(ba_inspection *x, cu_graph_node node, unsigned depth, ba_error *err)
{
	cu_graph child = NULL;
	BA_TRY(asked(x, x->driver->graph_child_get_graph(node, &child),
		"cuGraphChildGraphNodeGetGraph", err));
	return add_graph(x, child, depth + 1, err);
}

static int add_node(ba_inspection *x, cu_graph_node node, unsigned depth, ba_error *err)
{
	int type = -1;
	BA_TRY(asked(x, x->driver->graph_node_get_type(node, &type), "cuGraphNodeGetType", err));
	ba_sha256_add(&x->work, &type, sizeof(type));
	switch (type) {
	case BA_CU_NODE_KERNEL:
		return add_kernel(x, node, err);
	case BA_CU_NODE_MEMCPY:
		return add_memcpy(x, node, err);
	case BA_CU_NODE_MEMSET:
		return add_memset(x, node, err);
	case BA_CU_NODE_GRAPH:
		return add_child(x, node, depth, err);
	case BA_CU_NODE_EMPTY:
	case BA_CU_NODE_WAIT_EVENT:
	case BA_CU_NODE_EVENT_RECORD:
		return 0;
	case BA_CU_NODE_HOST:
		return unsupported(err, "it calls back into the host");
	default:
		return ba_fail(err, BA_EUNSUPPORTED,
			"its graph has a node of type %d, which bench-against does not support",
			type);
	}
}

static size_t index_of(const cu_graph_node *nodes, size_t count, cu_graph_node node)
{
	const cu_graph_node *found = BA_FIND(nodes, count, one, *one == node);
	return found ? (size_t)(found - nodes) : count;
}

/* What waits for what. */
static int add_edges(ba_inspection *x, cu_graph graph, const cu_graph_node *nodes,
	size_t node_count, ba_error *err)
{
	size_t count = 0;
	int rc = asked(
		x, x->driver->graph_get_edges(graph, NULL, NULL, &count), "cuGraphGetEdges", err);
	if (rc || count == 0)
		return rc;
	if (count > (size_t)NODES_MOST * 4)
		return unsupported(err, "its graph has too many edges");
	BA_AUTO_FREE cu_graph_node *from = ba_xcalloc(count, sizeof(*from));
	BA_AUTO_FREE cu_graph_node *to = ba_xcalloc(count, sizeof(*to));
	rc = asked(x, x->driver->graph_get_edges(graph, from, to, &count), "cuGraphGetEdges", err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		const size_t edge[2] = {
			index_of(nodes, node_count, from[i]), index_of(nodes, node_count, to[i])};
		ba_sha256_add(&x->work, edge, sizeof(edge));
	}
	return rc;
}

static int add_graph(ba_inspection *x, cu_graph graph, unsigned depth, ba_error *err)
{
	size_t count = 0;
	if (depth > DEPTH_MOST)
		return unsupported(err, "its graphs are nested too deep");
	BA_TRY(asked(x, x->driver->graph_get_nodes(graph, NULL, &count), "cuGraphGetNodes", err));
	int rc = 0;
	x->nodes += count;
	if (x->nodes > NODES_MOST)
		return unsupported(err, "one run() does more than bench-against can compare");
	BA_AUTO_FREE cu_graph_node *nodes = ba_xcalloc(count + 1, sizeof(*nodes));
	ba_sha256_add(&x->work, &count, sizeof(count));
	if (count)
		rc = asked(x, x->driver->graph_get_nodes(graph, nodes, &count), "cuGraphGetNodes",
			err);
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_node(x, nodes[i], depth, err);
	return rc ? rc : add_edges(x, graph, nodes, count, err);
}

int ba_inspect_graph(ba_inspection *x, cu_graph graph, ba_error *err)
{
	return add_graph(x, graph, 0, err);
}
