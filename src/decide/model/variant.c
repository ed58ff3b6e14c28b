#include "model/variant.h"

#define LABEL_MAX 64
#define LABEL_AUTO_MAX 32 /* columns */

BA_OWNS_HERE(ba_variant_environment, e, free(e->dir),
	BA_DISPOSE(ba_strv, &e->parts, &e->distributions, &e->loaded))

BA_OWNS(ba_variant, v, ba_variant_environment_dispose(&v->environment),
	BA_FREE(v->label, v->spec, v->describe, v->subject, v->tree_dir, v->build_key,
		v->build_log),
	BA_FREE_EACH(x, v->artefacts, v->artefact_count, free(x->path)))

void ba_variant_copy(ba_variant *out, const ba_variant *from)
{
	*out = *from;
	out->label = ba_xstrdup(from->label);
	out->spec = ba_xstrdup(from->spec);
	out->describe = ba_xstrdup(from->describe);
	out->subject = ba_xstrdup(from->subject);
	out->tree_dir = ba_xstrdup(from->tree_dir);
	out->build_key = ba_xstrdup(from->build_key);
	out->build_log = ba_xstrdup(from->build_log);
	out->artefacts = NULL;
	out->artefact_count = 0;
	ba_variant_environment *e = &out->environment;
	const ba_variant_environment *of = &from->environment;
	e->dir = of->dir ? ba_xstrdup(of->dir) : NULL;
	e->parts = e->distributions = e->loaded = (ba_strv){0};
	ba_strv_copy(&e->parts, &of->parts);
	ba_strv_copy(&e->distributions, &of->distributions);
	ba_strv_copy(&e->loaded, &of->loaded);
}

void ba_variant_add_artefact(ba_variant *v, const char *path, const char sha256[65])
{
	ba_artefact *a = BA_APPEND(v->artefacts, v->artefact_count);
	a->path = ba_xstrdup(path);
	memcpy(a->sha256, sha256, sizeof(a->sha256));
}

static bool is_label_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("._+-@", c));
}

static int check_label(const char *label, size_t n, const char *text, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	if (n == 0)
		return ba_fail(err, BA_EINVAL, "'%s': the label before '=' is empty", safe);
	if (n > LABEL_MAX)
		return ba_fail(
			err, BA_EINVAL, "'%s': a label has at most %d characters", safe, LABEL_MAX);
	for (size_t i = 0, step; i < n; i += step) {
		step = is_label_char(label[i]) ? 1 : ba_text_letter(label + i);
		if (step == 0)
			return ba_fail(err, BA_EINVAL,
				"'%s': a label may hold letters, digits and . _ + - @ only", safe);
	}
	if (label[0] == '.' || label[0] == '-')
		return ba_fail(err, BA_EINVAL,
			"'%s': a label begins with a letter, a digit, '_', '+' or '@'", safe);
	return 0;
}

/* ---- environments ---- */

/* The next "+env:" or "+var:", or NULL. A '+' alone belongs to a name or a version. */
static const char *next_part(const char *text)
{
	for (const char *plus = strchr(text, '+'); plus; plus = strchr(plus + 1, '+'))
		if (ba_text_starts(plus, "+env:") || ba_text_starts(plus, "+var:"))
			return plus;
	return NULL;
}

/* BENCH_AGAINST_* are how the tool talks to its programs. */
static int check_part(const char *part, const char *text, ba_error *err)
{
	const char *value = part + strlen("env:"), *equals = strchr(value, '=');
	size_t name =
		strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c < ' ')
			return ba_fail(err, BA_EINVAL, "a variant has a control character");
	if (!ba_text_starts(part, "var:"))
		return *value && *value != '-'
			       ? 0
			       : ba_fail(err, BA_EINVAL,
					 "'%s': after 'env:' comes a package (torch==2.9.0), a requirements or lock file, or the folder of an environment",
					 text);
	if (!equals || !name || value + name != equals || isdigit((unsigned char)*value))
		return ba_fail(err, BA_EINVAL, "'%s': write a variable as var:NAME=VALUE", text);
	if (ba_text_starts(value, "BENCH_AGAINST_"))
		return ba_fail(err, BA_EINVAL,
			"'%s': variables whose names begin with BENCH_AGAINST_ are bench-against's own",
			text);
	return 0;
}

/* the last part: does one before it set the same variable? */
static bool sets_twice(const ba_strv *parts, const char *last)
{
	size_t name = strcspn(last, "=") + 1;
	return ba_text_starts(last, "var:") &&
	       BA_ANY(parts->items, parts->count - 1, x, strncmp(*x, last, name) == 0);
}

static int take_parts(ba_variant *v, const char *text, ba_error *err)
{
	const char *part = next_part(v->spec);
	while (part) {
		const char *next = next_part(part + 1);
		size_t size = next ? (size_t)(next - part) : strlen(part);
		char *one = ba_xstrndup(part + 1, size - 1);
		ba_strv_push_take(&v->environment.parts, one);
		BA_TRY(check_part(one, text, err));
		if (sets_twice(&v->environment.parts, one))
			return ba_fail(err, BA_EINVAL, "'%s' sets a variable twice", text);
		part = next;
	}
	return 0;
}

char *ba_variant_tree_spec(const ba_variant *v)
{
	const char *part = next_part(v->spec);
	return part ? ba_xstrndup(v->spec, (size_t)(part - v->spec)) : ba_xstrdup(v->spec);
}

char *ba_variant_environment_name(const ba_variant *v)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	const ba_strv *parts = &v->environment.parts;
	for (size_t i = 0; i < parts->count; i++)
		ba_buf_printf(&name, "%s%s", i ? "+" : "", parts->items[i] + strlen("env:"));
	ba_buf_puts(&name, "");
	return ba_buf_detach(&name);
}

/* Does the environment replace this "NAME=value"? */
static bool is_replaced(const ba_variant_environment *e, const char *entry, bool variables)
{
	size_t size = strcspn(entry, "=") + 1;
	if (e->dir &&
		(ba_text_starts(entry, "VIRTUAL_ENV=") || ba_text_starts(entry, "PYTHONHOME=")))
		return true;
	return variables &&
	       BA_ANY(e->parts.items, e->parts.count, part,
		       ba_text_starts(*part, "var:") && strncmp(*part + 4, entry, size) == 0);
}

void ba_variant_environment_put(
	ba_strv *out, const ba_variant_environment *e, const char *const *env, bool variables)
{
	static const ba_variant_environment none;
	e = e ? e : &none;
	for (; *env; env++)
		if (e->dir && ba_text_starts(*env, "PATH="))
			ba_strv_printf(out, "PATH=%s/bin:%s", e->dir, *env + strlen("PATH="));
		else if (!is_replaced(e, *env, variables))
			ba_strv_push(out, *env);
	if (e->dir)
		ba_strv_printf(out, "VIRTUAL_ENV=%s", e->dir);
	for (size_t i = 0; variables && i < e->parts.count; i++)
		if (ba_text_starts(e->parts.items[i], "var:"))
			ba_strv_push(out, e->parts.items[i] + strlen("var:"));
}

int ba_variant_parse(ba_variant *out, const char *text, ba_error *err)
{
	const char *spec = text, *equals = strchr(text, '=');
	/* a ':' before '=' is of a revision like ':/fix a=b' or a path: no label */
	const char *colon = strchr(text, ':');
	size_t label_length = 0;
	if (equals && !(colon && colon < equals)) {
		label_length = (size_t)(equals - text);
		BA_TRY(check_label(text, label_length, text, err));
		spec = equals + 1;
	}
	if (*spec == '\0')
		return ba_fail(err, BA_EINVAL,
			"'%s' names no variant; write [LABEL=]REV, [LABEL=]path:DIR or WORKTREE",
			text);
	if (ba_text_starts(spec, "env:") || ba_text_starts(spec, "var:"))
		return ba_fail(err, BA_EINVAL,
			"'%s' names no tree; write the commit before the environment: HEAD+%s",
			text, spec);
	BA_AUTO(ba_variant) ba_variant v = {.spec = ba_xstrdup(spec)};
	BA_TRY(take_parts(&v, text, err));
	BA_AUTO_FREE char *tree = ba_variant_tree_spec(&v);
	v.kind = BA_VARIANT_REV;
	if (ba_text_starts(tree, "path:")) {
		if (tree[5] == '\0')
			return ba_fail(err, BA_EINVAL, "'%s': no directory after 'path:'", text);
		v.kind = BA_VARIANT_PATH;
	} else if (strcmp(tree, "WORKTREE") == 0) {
		v.kind = BA_VARIANT_WORKTREE;
	}
	*out = (ba_variant){.kind = v.kind,
		.label = ba_xstrndup(text, label_length),
		.spec = BA_TAKE(v.spec),
		.environment = BA_MOVE(v.environment),
		.describe = ba_xstrdup(""),
		.subject = ba_xstrdup(""),
		.build_key = ba_xstrdup(""),
		.build_log = ba_xstrdup("")};
	return 0;
}

static bool is_taken(const ba_variant *variants, size_t count, size_t self, const char *label)
{
	return BA_ANY(variants, count, x, x != &variants[self] && strcmp(x->label, label) == 0);
}

static bool is_auto_char(char c)
{
	return is_label_char(c) || c == '~' || c == '^';
}

/* the last component of a path, otherwise the spec; unsafe characters made '-' */
static char *label_from_spec(const ba_variant *v)
{
	BA_AUTO_FREE char *spec = ba_variant_tree_spec(v);
	char *from = spec;
	if (v->kind == BA_VARIANT_PATH) {
		size_t n = strlen(spec);
		while (n > 6 && spec[n - 1] == '/')
			spec[--n] = '\0';
		char *slash = strrchr(spec, '/');
		from = slash && slash[1] ? slash + 1 : spec + 5;
	}
	BA_AUTO_FREE char *environment = ba_variant_environment_name(v);
	BA_AUTO_FREE char *whole = ba_xprintf("%s%s%s", from, *environment ? "+" : "", environment);
	BA_AUTO(ba_buf) ba_buf label = BA_BUF_INIT;
	from = whole;
	while (*from && ba_text_width(label.data) < LABEL_AUTO_MAX) {
		size_t letter = ba_text_letter(from);
		if (letter)
			ba_buf_put(&label, from, letter);
		else
			ba_buf_putc(&label, is_auto_char(*from) ? *from : '-');
		from += letter ? letter : 1;
		from += *from == '=' && label.data[label.len - 1] == '-'; /* of "==" */
	}
	if (label.data[0] == '.' || label.data[0] == '-')
		label.data[0] = '_';
	return ba_buf_detach(&label);
}

int ba_variants_label(ba_variant *variants, size_t count, ba_error *err)
{
	for (size_t i = 0; i < count; i++)
		if (variants[i].label[0] && is_taken(variants, i, i, variants[i].label))
			return ba_fail(err, BA_EINVAL,
				"two variants have the label '%s'; give each its own",
				variants[i].label);
	for (size_t i = 0; i < count; i++) {
		if (variants[i].label[0])
			continue;
		BA_AUTO_FREE char *label = label_from_spec(&variants[i]);
		BA_AUTO_FREE char *unique = ba_xstrdup(label);
		for (unsigned n = 2; is_taken(variants, count, i, unique); n++)
			ba_text_own(&unique, ba_xprintf("%s.%u", label, n));
		ba_text_own(&variants[i].label, BA_TAKE(unique));
	}
	return 0;
}
