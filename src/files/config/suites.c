/* "suites": the keys that each kind of suite may and must have. */

#include "config/schema.h"

/* a worker suite whose command follows from the task */
#define TASK "python-task"

/* names, or the word "all" */
static int read_launch_paths(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_suite_config *s = field;
	const char *text;
	if (ba_json_type_of(v) == BA_JSON_STRING) {
		ba_json_as_string(&text, v, NULL);
		if (strcmp(text, "all") != 0)
			return ba_json_fail(
				err, v, "must be an array of names, or the word \"all\"");
		s->all_paths = true;
		return 0;
	}
	BA_TRY(ba_json_as_array(&v, v, err));
	if (!ba_json_is(ba_json_first(v)))
		return ba_json_fail(err, v, "is empty; leave it out for the library's first path");
	BA_JSON_EACH (item, v) {
		BA_TRY(ba_json_as_string(&text, item, err));
		if (!*text || ba_strv_has(&s->paths, text))
			return ba_json_fail(err, item, *text ? "appears twice" : "is empty");
		ba_strv_push(&s->paths, text);
	}
	return 0;
}

static int read_kind(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	enum { HOOKS_MOST = 8 };
	const char *words[BA_SUITE_KIND_COUNT + HOOKS_MOST + 2] = {[BA_SUITE_KIND_COUNT] = TASK};
	ba_suite_config *s = field;
	int word;
	for (int i = 0; i < BA_SUITE_KIND_COUNT; i++)
		words[i] = ba_suite_kind_name((ba_suite_kind)i);
	for (int i = 0; i < HOOKS_MOST && ba_suite_hooks[i]; i++)
		words[BA_SUITE_KIND_COUNT + 1 + i] = ba_suite_hooks[i];
	BA_TRY(ba_read_word(&word, v, words, err));
	s->hook = word <= BA_SUITE_KIND_COUNT ? NULL : words[word];
	s->kind = word < BA_SUITE_KIND_COUNT ? (ba_suite_kind)word : BA_SUITE_WORKER;
	s->is_task = word == BA_SUITE_KIND_COUNT;
	return 0;
}

#define SUITE(field) offsetof(ba_suite_config, field)

/* up to 1024 pointers; CUDA accepts up to 32764 bytes of parameters for a kernel */
const ba_key_row ba_launcher_rows[] = {
	{"kind", read_kind, 0},
	{"library", ba_read_text, SUITE(library), .check = ba_check_path},
	{"paths", read_launch_paths, 0},
	{"args", ba_read_set, SUITE(args), 0, 1024},
	{"bytes", ba_read_set, SUITE(bytes), 1, 32764},
	{"loops", ba_read_u64s, SUITE(loops), 1, 1000000000},
	{"repeats", ba_read_u64, SUITE(repeats), 1, 10000},
	{"size", ba_read_strings, SUITE(size), .check = ba_check_path},
	{NULL},
};

const ba_key_row ba_command_rows[] = {
	{"kind", read_kind, 0},
	{"command", ba_read_argv, SUITE(command)},
	{"pythonpath", ba_read_strings, SUITE(pythonpath), .check = ba_check_path},
	{"timeout", ba_read_duration, SUITE(timeout_ns)},
	{"metric", ba_read_text, SUITE(metric), .check = ba_check_text},
	{"size", ba_read_strings, SUITE(size), .check = ba_check_path},
	{NULL},
};

/* {"n": [1, 2], "S": "128:1024:*2"}: one text "n=1,2" for each axis, as of --axis */
static int read_axes(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_strv *axes = field;
	BA_TRY(ba_json_as_object(&v, v, err));
	BA_JSON_EACH (axis, v) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		const char *word;
		ba_buf_printf(&text, "%s=", ba_json_key(axis));
		if (ba_json_type_of(axis) == BA_JSON_STRING) {
			ba_json_as_string(&word, axis, NULL);
			ba_buf_puts(&text, word);
			ba_strv_push(axes, text.data);
			continue;
		}
		BA_TRY(ba_json_as_array(&axis, axis, err));
		if (!ba_json_is(ba_json_first(axis)))
			return ba_json_fail(err, axis, "is empty; leave it out for all its values");
		BA_JSON_EACH (item, axis) {
			double number = 0;
			const char *comma = text.data[text.len - 1] == '=' ? "" : ",";
			if (ba_json_type_of(item) == BA_JSON_NUMBER) {
				ba_json_as_f64(&number, item, NULL);
				ba_buf_printf(&text, "%s%.17g", comma, number);
				continue;
			}
			BA_TRY(ba_json_as_string(&word, item, err));
			ba_buf_printf(&text, "%s%s", comma, word);
		}
		ba_strv_push(axes, text.data);
	}
	return 0;
}

/* one glob, or several */
static int read_programs(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_strv *programs = field;
	const char *text;
	if (ba_json_type_of(v) != BA_JSON_STRING)
		return ba_strings_read(programs, v, ba_check_path, err);
	BA_TRY(ba_json_as_string(&text, v, err));
	BA_TRY(ba_check_path(v, text, err));
	ba_strv_push(programs, text);
	return 0;
}

const ba_key_row ba_worker_rows[] = {
	{"kind", read_kind, 0},
	{"command", ba_read_argv, SUITE(command)},
	{"programs", read_programs, SUITE(programs)},
	{"pythonpath", ba_read_strings, SUITE(pythonpath), .check = ba_check_path},
	{"axes", read_axes, SUITE(axes)},
	{"warm_up", ba_read_u64, SUITE(warm_up), 0, 1000000},
	{"iterations", ba_read_u64, SUITE(iterations), 1, 1000000},
	{"size", ba_read_strings, SUITE(size), .check = ba_check_path},
	{NULL},
};

static int read_format(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	static const char *const words[] = {
		"own", "kernelbench", "gpumode", "flashinfer", "sol", NULL};
	int word;
	BA_TRY(ba_read_word(&word, v, words, err));
	*(const char **)field = words[word];
	return 0;
}

const ba_key_row ba_task_rows[] = {
	{"kind", read_kind, 0},
	{"format", read_format, SUITE(format)},
	{"task", ba_read_text, SUITE(task), .check = ba_check_path},
	{"candidate", ba_read_text, SUITE(candidate), .check = ba_check_path},
	{"regimes", ba_read_strings, SUITE(regimes)},
	{"repeatable", ba_read_bool, SUITE(repeatable)},
	{"command", ba_read_argv, SUITE(command)},
	{"pythonpath", ba_read_strings, SUITE(pythonpath), .check = ba_check_path},
	{"axes", read_axes, SUITE(axes)},
	{NULL},
};

const ba_key_row ba_plugin_rows[] = {
	{"kind", read_kind, 0},
	{"library", ba_read_text, SUITE(library), .check = ba_check_path},
	{"axes", read_axes, SUITE(axes)},
	{"warm_up", ba_read_u64, SUITE(warm_up), 0, 1000000},
	{"iterations", ba_read_u64, SUITE(iterations), 1, 1000000},
	{"size", ba_read_strings, SUITE(size), .check = ba_check_path},
	{NULL},
};

static int check_suite_name(ba_json_value v, ba_error *err)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const char *name = ba_json_key(v);
	size_t size = strlen(name);
	if (!size || size > 64 || strspn(name, letters) != size)
		return ba_json_fail(
			err, v, "is not a name for a suite: 1 to 64 letters, digits and . _ -");
	return 0;
}

/* the keys of each kind, and its required key */
static const struct {
	const ba_key_row *rows;
	size_t required; /* offset of a pointer that is NULL if the key is missing */
	const char *missing;
} kinds[] = {
	[BA_SUITE_LAUNCHER] = {ba_launcher_rows, SUITE(library),
		"has no 'library': the path in the built tree of the library that exports bench_against_launcher"},
	[BA_SUITE_PLUGIN] = {ba_plugin_rows, SUITE(library),
		"has no 'library': the path in the built tree of the library that exports bench_against_suite"},
	[BA_SUITE_WORKER] = {ba_worker_rows, SUITE(command.items),
		"has no 'command': what is started in the tree, such as [\"python3\", \"-m\", \"bench_against_worker\", \"bench.py\"]"},
	[BA_SUITE_COMMAND] = {ba_command_rows, SUITE(command.items),
		"has no 'command': what is run in the tree, such as [\"build/bench\", \"--benchmark_format=json\"]"},
};

/* PYTHON -m bench_against_worker [OPTIONS] --task FORMAT TASK [CANDIDATE] */
static int finish_task(ba_suite_config *s, ba_json_value v, ba_error *err)
{
	if (!s->task || !s->format)
		return ba_json_fail(err, v,
			"has no '%s': a python-task needs 'format' (how the task is written) and 'task' (its file or folder in the tree)",
			s->task ? "format" : "task");
	if (s->command.count == 0)
		ba_strv_push(&s->command, "python3");
	BA_AUTO_FREE char *folders = ba_strv_join(&s->pythonpath, ":");
	BA_AUTO_FREE char *regimes = ba_strv_join(&s->regimes, ",");
	BA_STRV_PUSH(&s->command, "-m", "bench_against_worker");
	ba_strv_printf(&s->command, "--path=%s", folders);
	ba_strv_printf(&s->command, "--regimes=%s", regimes);
	if (s->repeatable)
		ba_strv_push(&s->command, "--repeatable");
	const char *const words[] = {"--task", s->format, s->task, s->candidate};
	for (size_t i = 0; i < BA_COUNT(words) && words[i]; i++)
		ba_strv_push(&s->command, words[i]);
	return 0;
}

static int check_programs(const ba_suite_config *s, ba_json_value v, ba_error *err)
{
	if (!s->hook)
		return ba_json_fail(err, v,
			"has 'programs', which only the kinds 'nvbench' and 'google-benchmark' have");
	if (s->command.count && !ba_strv_has(&s->command, "{program}"))
		return ba_json_fail(err, v,
			"has 'programs' and a 'command' that runs none of them: write \"{program}\" where the program belongs");
	return 0;
}

static int read_suite(ba_suite_config *s, ba_json_value v, ba_error *err)
{
	ba_json_value kind;
	BA_TRY(check_suite_name(v, err));
	BA_TRY(ba_json_get(&kind, v, "kind", err));
	BA_TRY(read_kind(s, kind, NULL, err));
	BA_TRY(ba_section_read(s, v, s->is_task ? ba_task_rows : kinds[s->kind].rows, err));
	if (s->is_task)
		return finish_task(s, v, err);
	if (s->programs.count)
		return check_programs(s, v, err);
	if (!*(void *const *)(void *)((char *)s + kinds[s->kind].required))
		return ba_json_fail(err, v, "%s", kinds[s->kind].missing);
	if (s->kind == BA_SUITE_LAUNCHER && !s->args.count && !s->bytes.count)
		return ba_json_fail(err, v, "measures nothing: 'args' and 'bytes' are both empty");
	return 0;
}

static void suite_init(ba_suite_config *s, ba_json_value v)
{
	static const uint64_t args[] = {0, 1, 2, 3, 4};
	*s = (ba_suite_config){.name = ba_xstrdup(ba_json_key(v)),
		.timeout_ns = 600 * BA_SECOND,
		.repeats = 7,
		.warm_up = 200,
		.iterations = 500};
	ba_numbers_set(&s->args, args, BA_COUNT(args));
}

int ba_read_suites(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_config *c = field;
	BA_TRY(ba_json_as_object(&v, v, err));
	BA_JSON_EACH (item, v) {
		ba_suite_config *s = BA_PUSH(c->suites, c->suite_count, c->suite_capacity);
		suite_init(s, item);
		BA_TRY(read_suite(s, item, err));
	}
	return 0;
}
