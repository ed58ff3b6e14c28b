/* Is a table of options sound? */
#ifndef SUPPORT_OPT_CHECK_H
#define SUPPORT_OPT_CHECK_H

#include "cli/opt.h"

static bool opt_check_is_option(const ba_opt *row)
{
	return row->kind != BA_OPT_GROUP && row->kind != BA_OPT_END;
}

/* If it is not (two rows with the same name, no help, a choice without words), returns false
 * and puts a sentence into `out`. */
static bool opt_check(ba_buf *out, const ba_opt *rows)
{
	for (const ba_opt *a = rows; a->kind != BA_OPT_END; a++) {
		const char *name = a->long_name ? a->long_name : "(no long name)";
		const char *mistake = NULL;
		if (!a->help || !*a->help)
			mistake = "has no help";
		else if (opt_check_is_option(a) && a->help[strlen(a->help) - 1] == '.')
			mistake = "has help that ends with a full stop";
		else if (opt_check_is_option(a) && !a->long_name)
			mistake = "needs a long name";
		else if (a->kind == BA_OPT_CHOICE && (!a->words || !a->words[0]))
			mistake = "is a choice without words";
		else if (opt_check_is_option(a) && !a->value)
			mistake = "points nowhere";
		for (const ba_opt *b = rows; !mistake && opt_check_is_option(a) && b != a; b++) {
			if (!opt_check_is_option(b))
				continue;
			if (strcmp(a->long_name, b->long_name) == 0)
				mistake = "appears twice";
			else if (a->short_name && a->short_name == b->short_name)
				mistake = "shares its short name";
		}
		if (mistake) {
			ba_buf_printf(out, "option --%s %s", name, mistake);
			return false;
		}
	}
	return true;
}

#endif
