/* The help pages from pages.txt. */

#include "cli/help.h"

extern const char ba_help_text[];
BA_EMBED(ba_help_text, BA_PAGES_DIR "/pages.txt");

/* Ends the text at the first `mark`; returns the text after the mark, or its end. */
static char *cut(char *text, const char *mark)
{
	char *at = strstr(text, mark);
	if (!at)
		return text + strlen(text);
	*at = '\0';
	return at + strlen(mark);
}

/* heading: "NAME: BRIEF"; body: the usage, an empty line, the summary */
static ba_help_page page_of(char *heading, char *body, const ba_help_section *sections)
{
	return (ba_help_page){.brief = cut(heading, ": "),
		.name = heading,
		.summary = cut(body, "\n\n"),
		.usage = body,
		.sections = sections};
}

/* heading: "TITLE", "TITLE [after]", "TITLE [all]" or "TITLE [after, all]" */
static ba_help_section section_of(char *heading, const char *body)
{
	const char *where = cut(heading, " [");
	return (ba_help_section){.title = heading,
		.text = body,
		.after_options = strstr(where, "after"),
		.only_all = strstr(where, "all")};
}

/* Loaded once, never freed. Each page's empty section ends the list of the one before. */
static ba_help_page *load(void)
{
	char *at = cut(ba_xstrdup(ba_help_text), "\n#");
	size_t headings = 1;
	for (const char *p = at; (p = strstr(p, "\n#")); p++)
		headings++;
	ba_help_page *pages = ba_xcalloc(headings + 1, sizeof(*pages)), *page = pages;
	ba_help_section *sections = ba_xcalloc(headings + 1, sizeof(*sections));
	for (size_t i = 0; i < headings; i++) {
		char *heading = at, *body = cut(heading, "\n");
		at = strstr(body, "\n#");
		if (at) {
			at[1] = '\0';
			at += 2;
		}
		if (*heading == '#')
			sections[i] = section_of(heading + 2, body);
		else
			*page++ = page_of(heading + 1, body, &sections[i + 1]);
	}
	return pages;
}

const ba_help_page *ba_help_pages(void)
{
	static ba_help_page *pages;
	if (!pages)
		pages = load();
	return pages;
}

const ba_help_page *ba_help_page_named(const char *name)
{
	for (const ba_help_page *page = ba_help_pages(); page->name; page++)
		if (strcmp(page->name, name) == 0)
			return page;
	return NULL;
}
