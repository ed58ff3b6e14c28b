/* Values of the configuration: one reader for each kind. */

#include "config/schema.h"

int ba_read_nothing(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return 0;
}

int ba_read_bool(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return ba_json_as_bool(field, v, err);
}

int ba_read_u64(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return ba_json_as_u64(field, v, row->min, row->max, err);
}

int ba_read_u64s(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_numbers *numbers = field;
	BA_AUTO_FREE uint64_t *items = NULL;
	size_t count;
	BA_TRY(ba_json_as_u64s(&items, &count, v, err));
	BA_JSON_EACH (item, v) {
		uint64_t number;
		BA_TRY(ba_json_as_u64(&number, item, row->min, row->max, err));
	}
	free(numbers->items);
	numbers->items = BA_TAKE(items);
	numbers->count = count;
	return 0;
}

int ba_read_set(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	const ba_numbers *numbers = field;
	int rc = ba_read_u64s(field, v, row, err);
	for (size_t i = 0; !rc && i < numbers->count; i++)
		for (size_t k = 0; !rc && k < i; k++)
			if (numbers->items[k] == numbers->items[i])
				rc = ba_json_fail(err, ba_json_at(v, i), "appears twice");
	return rc;
}

int ba_read_duration(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	const char *text;
	int64_t ns;
	double seconds;
	if (ba_json_type_of(v) == BA_JSON_NUMBER) {
		BA_TRY(ba_json_as_f64(&seconds, v, err));
		if (seconds <= 0 || seconds > 1e9)
			return ba_json_fail(err, v, "must be above 0 and at most 1e9 seconds");
		*(int64_t *)field = (int64_t)llround(seconds * 1e9);
		return 0;
	}
	if (ba_json_type_of(v) != BA_JSON_STRING)
		return ba_json_fail(err, v,
			"must be a time such as \"10m\", or a number of seconds, is %s",
			ba_json_type_name(ba_json_type_of(v)));
	ba_json_as_string(&text, v, NULL);
	if (ba_parse_duration_ns(&ns, text, "", NULL) < 0)
		return ba_json_fail(
			err, v, "is not a time: '%s'; write it like 500ms, 10s, 8m or 1h", text);
	if (ns <= 0)
		return ba_json_fail(err, v, "must be above 0");
	*(int64_t *)field = ns;
	return 0;
}

int ba_strings_read(ba_strv *out, ba_json_value v, ba_string_check *check, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv strings = {0};
	const char *text;
	BA_TRY(ba_json_as_array(&v, v, err));
	BA_JSON_EACH (item, v) {
		BA_TRY(ba_json_as_string(&text, item, err));
		BA_TRY(check ? check(item, text, err) : 0);
		ba_strv_push(&strings, text);
	}
	ba_strv_dispose(out);
	*out = BA_MOVE(strings);
	return 0;
}

int ba_check_variable(ba_json_value item, const char *text, ba_error *err)
{
	bool good = *text && !isdigit((unsigned char)*text);
	for (const char *at = text; *at; at++)
		good = good && (isalnum((unsigned char)*at) || *at == '_');
	if (strchr(text, '='))
		return ba_json_fail(err, item,
			"is a name and a value: only the name belongs here, the value is taken from the environment");
	return good ? 0 : ba_json_fail(err, item, "is not the name of a variable");
}

int ba_check_path(ba_json_value item, const char *text, ba_error *err)
{
	if (!ba_path_is_inside(text))
		return ba_json_fail(err, item,
			"must be a path inside the tree: not empty, not absolute, without '..'");
	return 0;
}

int ba_check_place(ba_json_value item, const char *text, ba_error *err)
{
	const char *rest = ba_text_starts(text, "~/") ? text + 2 : text + 1;
	if ((*text != '/' && rest == text + 1) || !ba_path_is_inside(rest))
		return ba_json_fail(
			err, item, "must be an absolute path, or begin with '~/', without '..'");
	return 0;
}

int ba_check_text(ba_json_value item, const char *text, ba_error *err)
{
	return *text ? 0 : ba_json_fail(err, item, "is empty");
}

int ba_read_strings(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return ba_strings_read(field, v, row->check, err);
}

int ba_read_text(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	BA_TRY(row->check(v, text, err));
	ba_text_replace(field, text);
	return 0;
}

int ba_read_argv(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_strv *argv = field;
	if (ba_json_type_of(v) == BA_JSON_STRING)
		return ba_json_fail(err, v,
			"must be an array of arguments such as [\"cmake\", \"--build\", \"build\"], is a string; bench-against uses no shell");
	BA_TRY(ba_strings_read(argv, v, NULL, err));
	if (!argv->count || !*argv->items[0])
		return ba_json_fail(err, v, "names no program");
	return 0;
}

static int read_argv(ba_build_config *b, ba_json_value v, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_TRY(ba_read_argv(&argv, v, NULL, err));
	*BA_PUSH(b->commands, b->command_count, b->command_capacity) = BA_MOVE(argv);
	return 0;
}

static int check_first(const ba_build_config *b, ba_json_value v, ba_error *err)
{
	if (b->command_count)
		return ba_json_fail(
			err, v, "is the second of 'command' and 'commands': keep one of them");
	return 0;
}

int ba_read_command(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	BA_TRY(check_first(field, v, err));
	return read_argv(field, v, err);
}

int ba_read_commands(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	BA_TRY(check_first(field, v, err));
	BA_TRY(ba_json_as_array(&v, v, err));
	if (ba_json_type_of(ba_json_first(v)) == BA_JSON_STRING)
		return ba_json_fail(err, v,
			"must be an array of commands, each an array of arguments; one command alone is 'command'");
	BA_JSON_EACH (item, v)
		BA_TRY(read_argv(field, item, err));
	return 0;
}
