#include "model/variant.h"

#define LABEL_MAX 64
#define LABEL_AUTO_MAX 32 /* columns */

BA_OWNS(ba_variant, v,
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

int ba_variant_parse(ba_variant *out, const char *text, ba_error *err)
{
	const char *spec = text, *equals = strchr(text, '=');
	/* a ':' before '=' is a revision like ':/fix a=b' or a path, so there is no
	 * label */
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
	ba_variant_kind kind = BA_VARIANT_REV;
	if (ba_text_starts(spec, "path:")) {
		if (spec[5] == '\0')
			return ba_fail(err, BA_EINVAL, "'%s': no directory after 'path:'", text);
		kind = BA_VARIANT_PATH;
	} else if (strcmp(spec, "WORKTREE") == 0) {
		kind = BA_VARIANT_WORKTREE;
	}
	*out = (ba_variant){.kind = kind,
		.label = ba_xstrndup(text, label_length),
		.spec = ba_xstrdup(spec),
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
	BA_AUTO_FREE char *spec = ba_xstrdup(v->spec);
	char *from = spec;
	if (v->kind == BA_VARIANT_PATH) {
		size_t n = strlen(spec);
		while (n > 6 && spec[n - 1] == '/')
			spec[--n] = '\0';
		char *slash = strrchr(spec, '/');
		from = slash && slash[1] ? slash + 1 : spec + 5;
	}
	BA_AUTO(ba_buf) ba_buf label = BA_BUF_INIT;
	while (*from && ba_text_width(label.data) < LABEL_AUTO_MAX) {
		size_t letter = ba_text_letter(from);
		if (letter)
			ba_buf_put(&label, from, letter);
		else
			ba_buf_putc(&label, is_auto_char(*from) ? *from : '-');
		from += letter ? letter : 1;
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
