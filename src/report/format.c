#include "report/format.h"

#include <string.h>

const ba_format ba_formats[] = {
	{"term", "tables for a person at a terminal", "txt", ba_term_write},
	{"json", "everything, every sample: bench-against.results/1", "json",
		ba_json_format_write},
	{"markdown", "tables for a comment or a page", "md", ba_markdown_write},
	{"csv", "a row for each benchmark, metric and variant", "csv", ba_csv_write},
	{0},
};

const char *const ba_format_names[] = {"term", "json", "markdown", "csv", NULL};

const ba_format *ba_format_named(const char *name)
{
	for (const ba_format *f = ba_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
