/* Is this well-formed XML, or HTML that closes what it opens? Strict about what a
 * hostile name would break: tags balance, attributes are quoted, '<' and '&' mean
 * something, no control characters. Text of <script> and <style> is passed over.
 *
 *     markup_problem problem;
 *     if (!markup_is_well_formed(text, &problem)) ... problem.why, problem.at
 *     assert_well_formed(text);         -- where test.h was included before
 */
#ifndef TESTS_SUPPORT_MARKUP_CHECK_H
#define TESTS_SUPPORT_MARKUP_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { MARKUP_DEPTH = 64 };

typedef struct markup_problem {
	const char *why; /* NULL: none */
	size_t at;	 /* byte */
} markup_problem;

typedef struct markup_check {
	const char *p, *begin;
	const char *open[MARKUP_DEPTH]; /* names of the elements around p */
	size_t length[MARKUP_DEPTH], depth;
	markup_problem problem;
} markup_check;

/* only the first problem is told; the caller stops there */
static inline void markup_fail(markup_check *m, const char *why)
{
	if (!m->problem.why)
		m->problem = (markup_problem){why, (size_t)(m->p - m->begin)};
}

static inline bool markup_is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == ':' || c == '_';
}

static inline bool markup_is_one_of(const char *const *words, const char *text, size_t length)
{
	for (; *words; words++)
		if (strlen(*words) == length && strncmp(*words, text, length) == 0)
			return true;
	return false;
}

static inline void markup_entity(markup_check *m)
{
	static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", NULL};
	if (!markup_is_one_of(known, m->p, strcspn(m->p, ";") + 1))
		markup_fail(m, "a bare '&'");
}

static inline void markup_attribute_value(markup_check *m)
{
	if (*m->p != '"') {
		markup_fail(m, "an attribute without quotes");
		return;
	}
	for (m->p++; *m->p && *m->p != '"'; m->p++) {
		if (*m->p == '<')
			markup_fail(m, "'<' in an attribute");
		if (*m->p == '&')
			markup_entity(m);
	}
	m->p += *m->p == '"';
}

static inline void markup_attributes(markup_check *m)
{
	while (*m->p == ' ' && !m->problem.why) {
		m->p++;
		if (!markup_is_name(*m->p))
			markup_fail(m, "an attribute without a name");
		while (markup_is_name(*m->p))
			m->p++;
		if (*m->p != '=') /* hidden, open: HTML's */
			continue;
		m->p++;
		markup_attribute_value(m);
	}
}

static inline void markup_close(markup_check *m)
{
	m->p += 2;
	if (m->depth == 0) {
		markup_fail(m, "closes what is not open");
		return;
	}
	m->depth--;
	if (strncmp(m->p, m->open[m->depth], m->length[m->depth]) != 0 ||
		m->p[m->length[m->depth]] != '>')
		markup_fail(m, "closes another element than the last");
	else
		m->p += m->length[m->depth] + 1;
}

static inline void markup_open(markup_check *m)
{
	/* elements that HTML never closes */
	static const char *const voids[] = {"meta", "link", "br", "wbr", "input", "hr", NULL};
	static const char *const raws[] = {"script", "style", NULL};
	const char *name = ++m->p;
	while (markup_is_name(*m->p))
		m->p++;
	size_t length = (size_t)(m->p - name);
	if (length == 0)
		markup_fail(m, "a bare '<'");
	markup_attributes(m);
	bool empty = *m->p == '/';
	m->p += empty;
	if (*m->p != '>' || m->depth == MARKUP_DEPTH) {
		markup_fail(m, *m->p != '>' ? "a tag without end" : "too deep");
		return;
	}
	m->p++;
	if (empty || markup_is_one_of(voids, name, length))
		return;
	m->open[m->depth] = name;
	m->length[m->depth++] = length;
	bool raw = markup_is_one_of(raws, name, length);
	while (raw && *m->p && strncmp(m->p, "</", 2) != 0)
		m->p++;
}

static inline void markup_text(markup_check *m)
{
	unsigned char c = (unsigned char)*m->p;
	if (c == '&')
		markup_entity(m);
	if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
		markup_fail(m, "a control character");
	if (strncmp(m->p, "]]>", 3) == 0)
		markup_fail(m, "']]>' in text");
	m->p++;
}

static inline bool markup_is_well_formed(const char *text, markup_problem *problem)
{
	markup_check m = {.p = text, .begin = text};
	if (strncmp(m.p, "<?xml", 5) == 0 || strncasecmp(m.p, "<!doctype", 9) == 0)
		m.p = strchr(m.p, '>') + 1;
	while (*m.p && !m.problem.why) {
		if (strncmp(m.p, "</", 2) == 0)
			markup_close(&m);
		else if (*m.p == '<')
			markup_open(&m);
		else
			markup_text(&m);
	}
	if (m.depth)
		markup_fail(&m, "an element is never closed");
	*problem = m.problem;
	return !m.problem.why;
}

#ifdef TESTS_SUPPORT_TEST_H
static inline void assert_well_formed(const char *text)
{
	markup_problem problem;
	if (!markup_is_well_formed(text, &problem))
		fail_msg("%s at byte %zu: ...%.100s", problem.why, problem.at,
			text + (problem.at > 60 ? problem.at - 60 : 0));
}
#endif

#endif
