/* PTX is split into its declarations: kernels, functions and variables. Each is a node,
 * and its digest is of its tokens. */
#include "cubin/graph.h"

typedef struct token {
	const char *at;
	size_t bytes; /* 0: the end */
} token;

typedef struct declaration {
	const char *start, *end;
	char *name; /* NULL: none, as in .pragma */
	bool is_function, is_kernel, is_foreign;
} declaration;

typedef struct reader {
	ba_graph *g;
	const char *at, *end;
	declaration *items;
	size_t count, capacity;
	ba_names names;
	size_t *nodes; /* [names.count] */
} reader;

BA_OWNS_HERE(reader, r, BA_FREE_EACH(x, r->items, r->count, free(x->name)), free(r->nodes),
	ba_names_dispose(&r->names))

/* ---- tokens ---- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || c == '%' || c == '.';
}

static const char *find(const char *at, const char *end, const char *text)
{
	const char *p = memmem(at, (size_t)(end - at), text, strlen(text));
	return p ? p : end;
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end) {
		if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == '\0')
			p++;
		else if (end - p > 1 && p[0] == '/' && p[1] == '/')
			p = find(p, end, "\n");
		else if (end - p > 1 && p[0] == '/' && p[1] == '*')
			p = find(p + 2, end, "*/") + (find(p + 2, end, "*/") < end ? 2 : 0);
		else
			break;
	}
	return p;
}

static token next(const char **at, const char *end)
{
	token t = {.at = skip_space(*at, end)};
	const char *p = t.at;
	if (p < end && *p == '"') {
		p = find(p + 1, end, "\"");
		p += p < end;
	} else {
		while (p < end && is_word(*p))
			p++;
		p += p == t.at && p < end;
	}
	t.bytes = (size_t)(p - t.at);
	*at = p;
	return t;
}

static bool is(token t, const char *text)
{
	return t.bytes == strlen(text) && memcmp(t.at, text, t.bytes) == 0;
}

static bool starts(token t, const char *text)
{
	return t.bytes >= strlen(text) && memcmp(t.at, text, strlen(text)) == 0;
}

static bool is_one_of(token t, const char *const *texts)
{
	for (; *texts; texts++)
		if (is(t, *texts))
			return true;
	return false;
}

static bool is_name(token t)
{
	return t.bytes && is_word(*t.at) && *t.at != '.' && (*t.at < '0' || *t.at > '9');
}

/* Lines that say nothing about the code. */
static bool is_line_info(token t)
{
	static const char *const starts_of_lines[] = {".version", ".loc", ".file", NULL};
	return is_one_of(t, starts_of_lines);
}

/* ---- declarations ---- */

static void take_name(declaration *d, token t, int depth)
{
	d->is_function = d->is_function || is(t, ".func") || is(t, ".entry");
	d->is_kernel = d->is_kernel || is(t, ".entry");
	d->is_foreign = d->is_foreign || is(t, ".extern");
	if (!d->name && depth == 0 && is_name(t))
		d->name = ba_xstrndup(t.at, t.bytes);
}

/* Reads on behind the semicolon or the body that ends the declaration. */
static int read_declaration(reader *r, declaration *d, ba_error *err)
{
	int depth = 0;
	while (true) {
		token t = next(&r->at, r->end);
		if (t.bytes == 0)
			return ba_fail(err, BA_EINVAL, "its PTX ends within a declaration");
		if (is_line_info(t)) {
			r->at = find(r->at, r->end, "\n");
			continue;
		}
		take_name(d, t, depth);
		depth += is(t, "{") || is(t, "(");
		depth -= is(t, "}") || is(t, ")");
		d->end = r->at;
		if (depth == 0 && is(t, ";")) {
			d->is_foreign = d->is_foreign || d->is_function;
			return 0;
		}
		if (depth == 0 && is(t, "}") && d->is_function)
			return 0;
	}
}

static void skip_section(reader *r)
{
	int depth = 0;
	token t;
	do {
		t = next(&r->at, r->end);
		depth += is(t, "{");
		depth -= is(t, "}");
	} while (t.bytes && (depth > 0 || !is(t, "}")));
}

static void read_target(reader *r)
{
	token t = next(&r->at, r->end);
	size_t n = t.bytes < sizeof(r->g->target) ? t.bytes : sizeof(r->g->target) - 1;
	memcpy(r->g->target, t.at, n);
	r->g->target[n] = '\0';
	r->at = find(r->at, r->end, "\n");
}

static void add_node(reader *r, declaration *d)
{
	size_t known = ba_names_find(&r->names, d->name);
	size_t node = known == BA_NAMES_NONE ? ba_graph_add(r->g, d->name) : r->nodes[known];
	ba_node *n = &r->g->nodes[node];
	n->is_kernel = n->is_kernel || (d->is_kernel && !d->is_foreign);
	n->is_variable = !d->is_function && find(d->start, d->end, ".shared") == d->end;
	if (known != BA_NAMES_NONE)
		return;
	ba_names_add(&r->names, d->name);
	r->nodes = ba_xreallocarray(r->nodes, r->names.count, sizeof(*r->nodes));
	r->nodes[r->names.count - 1] = node;
}

static int read_declarations(reader *r, ba_error *err)
{
	while (true) {
		r->at = skip_space(r->at, r->end);
		declaration d = {.start = r->at};
		token t = next(&r->at, r->end);
		if (t.bytes == 0)
			return 0;
		if (is(t, ".target")) {
			read_target(r);
		} else if (is_line_info(t) || is(t, ".address_size")) {
			r->at = find(r->at, r->end, "\n");
		} else if (is(t, ".section")) {
			skip_section(r);
		} else {
			r->at = d.start;
			int rc = read_declaration(r, &d, err);
			*BA_PUSH(r->items, r->count, r->capacity) = d;
			BA_TRY(rc);
			if (d.name)
				add_node(r, &r->items[r->count - 1]);
		}
	}
}

/* ---- digests ---- */

typedef struct body {
	const declaration *d;
	size_t node;
	ba_names renumbered; /* labels first, then registers, as they occur */
	ba_strv texts;
	ba_names labels;
} body;

/* "%rd12", but not "%tid.x", "%clock64" */
static bool is_register(token t)
{
	size_t letters = 1, n;
	while (letters < t.bytes &&
		((t.at[letters] >= 'a' && t.at[letters] <= 'z') || t.at[letters] == '_'))
		letters++;
	for (n = letters; n < t.bytes && t.at[n] >= '0' && t.at[n] <= '9';)
		n++;
	return *t.at == '%' && n == t.bytes && n > letters && !starts(t, "%clock") &&
	       !starts(t, "%envreg") && !starts(t, "%pm");
}

static size_t renumber(body *b, const char *text)
{
	size_t n = ba_names_find(&b->renumbered, text);
	if (n != BA_NAMES_NONE)
		return n;
	ba_strv_push(&b->texts, text);
	return ba_names_add(&b->renumbered, b->texts.items[b->texts.count - 1]);
}

static void find_labels(body *b)
{
	const char *p = b->d->start;
	token before = {0};
	for (token t = next(&p, b->d->end); t.bytes; before = t, t = next(&p, b->d->end)) {
		if (!is(t, ":") || !is_name(before))
			continue;
		BA_AUTO_FREE char *label = ba_xstrndup(before.at, before.bytes);
		if (ba_names_find(&b->labels, label) == BA_NAMES_NONE) {
			ba_strv_push(&b->texts, label);
			ba_names_add(&b->labels, b->texts.items[b->texts.count - 1]);
		}
	}
}

static void add_token(reader *r, body *b, ba_sha256 *sum, token t)
{
	char mark[32];
	BA_AUTO_FREE char *text = ba_xstrndup(t.at, t.bytes);
	size_t named = is_name(t) ? ba_names_find(&r->names, text) : BA_NAMES_NONE;
	const char *own = b->d->name ? b->d->name : "";
	if (is_register(t) || starts(t, "__local_depot") ||
		ba_names_find(&b->labels, text) != BA_NAMES_NONE) {
		size_t kind = strcspn(text, "0123456789");
		snprintf(mark, sizeof(mark), "%.*s#%zu", *text == '%' && kind < 8 ? (int)kind : 0,
			text, renumber(b, text));
		ba_sha256_add_string(sum, mark);
	} else if (named != BA_NAMES_NONE && r->nodes[named] != b->node) {
		ba_sha256_add_string(sum, "&");
		ba_graph_refer(r->g, b->node, r->nodes[named]);
	} else if (*own && is_name(t) && ba_text_starts(text, own)) {
		/* itself, and its parameters, which are named after it */
		ba_sha256_add_string(sum, "@");
		ba_sha256_add_string(sum, text + strlen(own));
	} else {
		ba_sha256_add_string(sum, text);
	}
}

static uint32_t number(token t)
{
	return t.bytes && *t.at >= '0' && *t.at <= '9' ? (uint32_t)strtoul(t.at, NULL, 0) : 0;
}

/* ".maxntid 128, 1, 1": between the parameters of a kernel and its body */
static void add_limit(ba_kernel_metrics *m, token t, const char *p, const char *end)
{
	uint32_t numbers[3] = {0};
	size_t count = 0;
	for (token n = next(&p, end); count < 3 && n.bytes && (number(n) || is(n, ","));
		n = next(&p, end))
		if (!is(n, ","))
			numbers[count++] = number(n);
	for (; count > 0 && count < 3; count++)
		numbers[count] = 1;
	if (is(t, ".maxntid"))
		m->max_threads = numbers[0] * numbers[1] * numbers[2];
	else if (is(t, ".reqntid"))
		memcpy(m->required_threads, numbers, sizeof(numbers));
	else if (is(t, ".minnctapersm"))
		m->min_blocks = numbers[0];
	else if (is(t, ".maxnreg"))
		m->max_registers = numbers[0];
	else if (is(t, ".reqnctapercluster"))
		memcpy(m->cluster, numbers, sizeof(numbers));
}

/* Debug labels that -lineinfo adds: "$L__tmp0:" */
static bool is_debug_label(token t)
{
	return starts(t, "$L__tmp") || starts(t, "$L__func_");
}

static void add_body(reader *r, body *b)
{
	static const char *const linkage[] = {".visible", ".weak", ".extern", NULL};
	ba_node *n = &r->g->nodes[b->node];
	int depth = 0;
	bool in_limits = false;
	const char *p = b->d->start, *end = b->d->end;
	for (token t = next(&p, end); t.bytes; t = next(&p, end)) {
		if (is_line_info(t)) {
			p = find(p, end, "\n");
			continue;
		}
		if (is_one_of(t, linkage) || is_debug_label(t)) {
			const char *behind = p;
			if (is_debug_label(t) && is(next(&behind, end), ":"))
				p = behind;
			continue;
		}
		depth += is(t, "{") || is(t, "(");
		in_limits = in_limits && depth == 0;
		add_token(r, b,
			!b->d->is_function ? &n->data
			: in_limits	   ? &n->limits
					   : &n->code,
			t);
		if (in_limits)
			add_limit(&n->metrics, t, p, end);
		depth -= is(t, "}") || is(t, ")");
		if (b->d->is_kernel && depth == 0 && is(t, ")"))
			in_limits = true;
	}
}

static void add_declaration(reader *r, const declaration *d)
{
	body b = {.d = d, .node = r->nodes[ba_names_find(&r->names, d->name)]};
	bool is_shared = find(d->start, d->end, ".shared") < d->end;
	find_labels(&b);
	add_body(r, &b);
	if (d->is_foreign && !is_shared && !ba_graph_is_of_driver(d->name))
		ba_graph_open(
			r->g, b.node, "it refers to '%s', which another module defines", d->name);
	ba_names_dispose(&b.renumbered);
	ba_names_dispose(&b.labels);
	ba_strv_dispose(&b.texts);
}

/* A prototype of a function that is defined, too, does not count. */
static void add_all(reader *r)
{
	BA_AUTO_FREE bool *defined = ba_xcalloc(r->names.count + 1, sizeof(*defined));
	for (int foreign = 0; foreign < 2; foreign++)
		BA_EACH (const declaration, d, r->items, r->count) {
			size_t n = d->name ? ba_names_find(&r->names, d->name) : BA_NAMES_NONE;
			if (n == BA_NAMES_NONE || d->is_foreign != (foreign == 1) ||
				(d->is_foreign && defined[n]))
				continue;
			defined[n] = true;
			add_declaration(r, d);
		}
}

int ba_ptx_read(ba_graph *out, const void *text, size_t bytes, ba_error *err)
{
	BA_AUTO(ba_graph) ba_graph g = {.is_ptx = true, .is_linked = true};
	BA_AUTO(reader) reader r = {.g = &g, .at = text};
	r.end = r.at + bytes;
	BA_TRY(read_declarations(&r, err));
	add_all(&r);
	for (size_t i = 0; i < BA_BANKS; i++)
		g.banks[i] = ba_graph_add(&g, NULL);
	*out = BA_MOVE(g);
	return 0;
}
