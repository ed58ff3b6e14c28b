#include "cluster/slurm_array.h"

BA_OWNS(ba_slurm_spec, s, ba_strv_dispose(&s->options))

/* The length of the option's name in "--name" or "--name=value" if the name is this one or,
 * as getopt allows, the beginning of it; else 0. */
static size_t is_long(const char *word, const char *name)
{
	if (!ba_text_starts(word, "--"))
		return 0;
	size_t size = strcspn(word + 2, "=");
	return size >= 2 && strncmp(word + 2, name, size) == 0 ? size : 0;
}

/* The value of --array in any spelling, or NULL. *i: the last word used. */
static const char *array_of(const ba_strv *words, size_t *i)
{
	const char *word = words->items[*i];
	size_t size = is_long(word, "array");
	const char *rest = word[0] == '-' && word[1] == 'a' ? word + 2 : NULL;
	if (size && word[2 + size] == '=')
		return word + 2 + size + 1;
	if (!size && !rest)
		return NULL;
	if (rest && *rest)
		return rest;
	*i += 1;
	return *i < words->count ? words->items[*i] : "";
}

/* "8", "8%2", "0-7", "0-7%2" */
static int parse_array(ba_slurm_spec *s, const char *option, const char *text, ba_error *err)
{
	BA_AUTO_FREE char *range = ba_xstrdup(text);
	char *percent = strchr(range, '%');
	if (percent)
		*percent = '\0';
	char *dash = strchr(range, '-');
	if (dash)
		*dash = '\0';
	uint64_t first = 0, last = 0, at_once = 0;
	int rc = ba_parse_u64(&first, range, 0, UINT32_MAX, "array", NULL);
	if (rc == 0 && dash)
		rc = ba_parse_u64(&last, dash + 1, first, UINT32_MAX, "array", NULL);
	if (rc == 0 && percent)
		rc = ba_parse_u64(&at_once, percent + 1, 1, UINT32_MAX, "array", NULL);
	uint64_t tasks = dash ? last - first + 1 : first;
	if (rc || tasks < 1 || tasks > BA_SLURM_TASKS_MOST)
		return ba_fail(err, BA_EINVAL,
			"%s: --array=%s is not a number of tasks from 1 to %d, such as 8, or 8%%2 for 2 at a time",
			option, text, BA_SLURM_TASKS_MOST);
	s->tasks = (size_t)tasks;
	s->at_once = (size_t)at_once;
	return 0;
}

/* Rejects options that bench-against sets itself. */
static int check_word(const char *option, const char *word, ba_error *err)
{
	static const struct {
		const char *name;
		char letter;
	} ours[] = {{"output", 'o'}, {"error", 'e'}, {"wrap", 0}, {"parsable", 0}, {"wait", 'W'},
		{"test-only", 0}, {"open-mode", 0}, {"input", 'i'}, {"help", 'h'}, {"usage", 0},
		{"version", 'V'}};
	for (size_t i = 0; i < BA_COUNT(ours); i++) {
		bool short_one = word[0] == '-' && ours[i].letter && word[1] == ours[i].letter;
		if (short_one || is_long(word, ours[i].name))
			return ba_fail(err, BA_EINVAL,
				"%s: bench-against sets --%s of sbatch itself", option,
				ours[i].name);
	}
	return 0;
}

int ba_slurm_spec_parse(ba_slurm_spec *out, const char *option, const char *text, ba_error *err)
{
	BA_AUTO(ba_slurm_spec) ba_slurm_spec s = {.tasks = 1};
	BA_AUTO(ba_strv) ba_strv words = {0};
	if (!ba_text_starts(text, "slurm:"))
		return ba_fail(err, BA_EINVAL,
			"%s %s: it must begin with 'slurm:', because only Slurm is known, as in %s 'slurm: --partition=gpu --gres=gpu:1'",
			option, text, option);
	int rc = ba_shell_split(&words, text + strlen("slurm:"), err);
	if (rc)
		return ba_fail_context(err, "%s", option);
	for (size_t i = 0; i < words.count && rc == 0; i++) {
		const char *array = array_of(&words, &i);
		rc = array ? parse_array(&s, option, array, err)
			   : check_word(option, words.items[i], err);
		if (rc == 0 && !array)
			ba_strv_push(&s.options, words.items[i]);
	}
	if (rc)
		return rc;
	*out = BA_MOVE(s);
	return 0;
}
