#include "cli/opt.h"

/* ---- rows ---------------------------------------------------------------- */

static bool is_option(const ba_opt *row)
{
	return row->kind != BA_OPT_GROUP && row->kind != BA_OPT_END;
}

static bool takes_value(const ba_opt *row)
{
	return row->kind != BA_OPT_FLAG;
}

const char *ba_opt_sentence(const ba_opt *row)
{
	const char *end = row->help[0] == '<' ? strstr(row->help, ">: ") : NULL;
	return end && !memchr(row->help, ' ', (size_t)(end - row->help)) ? end + 3 : row->help;
}

void ba_opt_placeholder(ba_buf *out, const ba_opt *row)
{
	if (!takes_value(row))
		return;
	if (row->kind == BA_OPT_CHOICE) {
		for (size_t i = 0; row->words[i]; i++)
			ba_buf_printf(out, "%s%s", i ? "|" : "", row->words[i]);
		return;
	}
	const char *open = strchr(row->help, '<');
	const char *close = open ? strchr(open, '>') : NULL;
	if (close)
		ba_buf_put(out, open, (size_t)(close - open) + 1);
	else
		ba_buf_puts(out, "<value>");
}

static ba_opt *row_named(ba_opt *rows, const char *name)
{
	for (ba_opt *row = rows; row->kind != BA_OPT_END; row++)
		if (is_option(row) && row->long_name && strcmp(row->long_name, name) == 0)
			return row;
	return NULL;
}

bool ba_opt_seen(const ba_opt *rows, const char *name)
{
	const ba_opt *row = row_named((ba_opt *)rows, name);
	BA_REQUIRE(row);
	return row && row->seen > 0;
}

/* ---- values -------------------------------------------------------------- */

static int choose(const ba_opt *row, const char *name, const char *text, ba_error *err)
{
	for (int i = 0; row->words[i]; i++) {
		if (strcmp(row->words[i], text) == 0) {
			*(int *)row->value = i;
			return 0;
		}
	}
	BA_AUTO(ba_buf) ba_buf all = BA_BUF_INIT;
	for (size_t i = 0; row->words[i]; i++) {
		const char *before = i == 0 ? "" : row->words[i + 1] ? ", " : " or ";
		ba_buf_printf(&all, "%s%s", before, row->words[i]);
	}
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	const char *near = ba_text_nearest(text, row->words);
	if (near)
		return ba_fail(err, BA_EINVAL, "%s cannot be '%s'; did you mean '%s'? (%s)", name,
			safe, near, all.data);
	return ba_fail(err, BA_EINVAL, "%s cannot be '%s': it is %s", name, safe, all.data);
}

static int store_int(const ba_opt *row, const char *name, const char *text, ba_error *err)
{
	uint64_t value;
	uint64_t max = row->max < INT_MAX ? row->max : INT_MAX;
	BA_TRY(ba_parse_u64(&value, text, row->min, max, name, err));
	*(int *)row->value = (int)value;
	return 0;
}

/* name is the option as the user wrote it, "--loops" or "-n", for the error */
static int store(ba_opt *row, const char *name, const char *text, ba_error *err)
{
	row->seen++;
	row->given = text;
	switch (row->kind) {
	case BA_OPT_STRING:
		*(const char **)row->value = text;
		return 0;
	case BA_OPT_INT:
		return store_int(row, name, text, err);
	case BA_OPT_U64:
		return ba_parse_u64(row->value, text, row->min, row->max, name, err);
	case BA_OPT_DURATION:
		return ba_parse_duration_ns(row->value, text, name, err);
	case BA_OPT_RATIO:
		return ba_parse_ratio(row->value, text, name, err);
	case BA_OPT_CHOICE:
		return choose(row, name, text, err);
	case BA_OPT_LIST:
		ba_strv_push(row->value, text);
		return 0;
	case BA_OPT_FLAG:
	case BA_OPT_GROUP:
	case BA_OPT_END:
		break;
	}
	/* cppcheck-suppress incorrectStringBooleanError ; the text is printed */
	BA_REQUIRE(false && "a row that takes no value");
	return BA_EINVAL;
}

/* ---- words of the command line ------------------------------------------- */

typedef struct words {
	char *const *argv;
	int argc, next;
} words;

static int missing_value(const ba_opt *row, const char *name, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf placeholder = BA_BUF_INIT;
	ba_opt_placeholder(&placeholder, row);
	return ba_fail(err, BA_EINVAL, "%s needs a value: %s %s", name, name, placeholder.data);
}

/* inline_value: the text after '=' or after the short letter, or NULL */
static int take_value(
	ba_opt *row, const char *name, const char *inline_value, words *w, ba_error *err)
{
	const char *text = inline_value;
	if (!text && row->implied)
		text = row->implied;
	if (!text) {
		if (w->next >= w->argc)
			return missing_value(row, name, err);
		text = w->argv[w->next++];
	}
	return store(row, name, text, err);
}

static int unknown(const ba_opt *rows, const char *word, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	const char *begins = NULL;
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++) {
		if (!is_option(row))
			continue;
		ba_strv_push(&names, row->long_name);
		if (row->kind == BA_OPT_FLAG)
			ba_strv_printf(&names, "no-%s", row->long_name);
		if (!begins && ba_text_starts(row->long_name, word))
			begins = row->long_name;
	}
	BA_AUTO_FREE char *safe = ba_text_safe(word);
	const char *near = begins && strlen(word) >= 2 ? begins : NULL;
	if (!near && names.count)
		near = ba_text_nearest(word, (const char *const *)names.items);
	if (near)
		return ba_fail(
			err, BA_EINVAL, "no such option '--%s'; did you mean '--%s'?", safe, near);
	return ba_fail(err, BA_EINVAL, "no such option '--%s'; --help lists them", safe);
}

/* The flag that this name switches off, or NULL: "no-color" of "color", "build" of "no-build". */
static ba_opt *negated(ba_opt *rows, const char *name)
{
	BA_AUTO_FREE char *with = ba_xprintf("no-%s", name);
	ba_opt *row = row_named(rows, with);
	if (!row && ba_text_starts(name, "no-"))
		row = row_named(rows, name + 3);
	return row && row->kind == BA_OPT_FLAG ? row : NULL;
}

static int parse_long(ba_opt *rows, const char *word, words *w, ba_error *err)
{
	const char *equals = strchr(word, '=');
	BA_AUTO_FREE char *name =
		ba_xstrndup(word, equals ? (size_t)(equals - word) : strlen(word));
	BA_AUTO_FREE char *shown = ba_xprintf("--%s", name);
	bool on = true;
	ba_opt *row = row_named(rows, name);
	if (!row) {
		row = negated(rows, name);
		on = false;
	}
	if (!row)
		return unknown(rows, name, err);
	if (takes_value(row))
		return take_value(row, shown, equals ? equals + 1 : NULL, w, err);
	if (equals)
		return ba_fail(err, BA_EINVAL, "%s takes no value", shown);
	row->seen++;
	*(bool *)row->value = on;
	return 0;
}

static ba_opt *row_lettered(ba_opt *rows, char letter)
{
	for (ba_opt *row = rows; row->kind != BA_OPT_END; row++)
		if (is_option(row) && row->short_name && row->short_name == letter)
			return row;
	return NULL;
}

static int unknown_letter(ba_opt *rows, const char *letters, const char *c, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(letters);
	/* -quiet: a single dash is the most common typing mistake */
	if (letters[1] && row_named(rows, letters))
		return ba_fail(
			err, BA_EINVAL, "no such option '-%s'; did you mean '--%s'?", safe, safe);
	if (c == letters)
		return ba_fail(err, BA_EINVAL, "no such option '-%s'; --help lists them", safe);
	return ba_fail(err, BA_EINVAL, "no such option in '-%s' from its letter %zu on", safe,
		(size_t)(c - letters) + 1);
}

static int parse_short(ba_opt *rows, const char *letters, words *w, ba_error *err)
{
	for (const char *c = letters; *c; c++) {
		ba_opt *row = row_lettered(rows, *c);
		if (!row)
			return unknown_letter(rows, letters, c, err);
		if (takes_value(row)) {
			const char name[3] = {'-', *c, '\0'};
			const char *rest = c[1] ? c + 1 : NULL;
			if (rest && *rest == '=')
				rest++;
			return take_value(row, name, rest, w, err);
		}
		row->seen++;
		*(bool *)row->value = true;
	}
	return 0;
}

int ba_opt_parse(ba_strv *operands, ba_opt *rows, int argc, char *const *argv, ba_error *err)
{
	words w = {.argv = argv, .argc = argc};
	while (w.next < w.argc) {
		const char *word = w.argv[w.next++];
		int rc = 0;
		if (strcmp(word, "--") == 0)
			while (w.next < w.argc)
				ba_strv_push(operands, w.argv[w.next++]);
		else if (ba_text_starts(word, "--"))
			rc = parse_long(rows, word + 2, &w, err);
		else if (word[0] == '-' && word[1])
			rc = parse_short(rows, word + 1, &w, err);
		else
			ba_strv_push(operands, word);
		if (rc)
			return rc;
	}
	return 0;
}

static void push_option(ba_strv *out, const ba_opt *row, const char *value)
{
	/* a bare option with an implied word does not take the next argument */
	if (row->implied && value) {
		ba_strv_printf(out, "--%s=%s", row->long_name, value);
		return;
	}
	ba_strv_printf(out, "--%s", row->long_name);
	if (value)
		ba_strv_push(out, value);
}

static bool is_named(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

void ba_opt_again(ba_strv *out, const ba_opt *rows, const ba_opt *accepted, const char *const *but)
{
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++) {
		if (!is_option(row) || !row->seen || is_named(but, row->long_name) ||
			(accepted && !row_named((ba_opt *)accepted, row->long_name)))
			continue;
		if (row->kind == BA_OPT_LIST) {
			const ba_strv *list = row->value;
			for (size_t i = 0; i < list->count; i++)
				push_option(out, row, list->items[i]);
		} else if (row->kind != BA_OPT_FLAG) {
			push_option(out, row, row->given);
		} else if (*(const bool *)row->value) {
			push_option(out, row, NULL);
		}
	}
}
