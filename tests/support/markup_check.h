/* Is this well-formed XML, or HTML that closes what it opens? Strict about what a
 * hostile name would break: tags balance, attributes are quoted, '<' and '&' mean
 * something, no control characters. Text of <script> and <style> is passed over. */
#ifndef TESTS_SUPPORT_MARKUP_CHECK_H
#define TESTS_SUPPORT_MARKUP_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "test.h"

enum { MARKUP_DEPTH = 64 };

typedef struct markup_check {
	const char *p, *begin;
	const char *open[MARKUP_DEPTH]; /* names of the elements around p */
	size_t length[MARKUP_DEPTH], depth;
} markup_check;

static inline void markup_fail(const markup_check *m, const char *why)
{
	const char *from = m->p - m->begin > 60 ? m->p - 60 : m->begin;
	fail_msg("%s at byte %zu: ...%.100s", why, (size_t)(m->p - m->begin), from);
}

static inline bool markup_is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == ':' || c == '_';
}

static inline void markup_entity(markup_check *m)
{
	static const char *const known[] = {
		"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", NULL};
	for (size_t i = 0; known[i]; i++)
		if (strncmp(m->p, known[i], strlen(known[i])) == 0)
			return;
	markup_fail(m, "a bare '&'");
}

static inline void markup_attributes(markup_check *m)
{
	while (*m->p == ' ') {
		m->p++;
		if (!markup_is_name(*m->p))
			markup_fail(m, "an attribute without a name");
		while (markup_is_name(*m->p))
			m->p++;
		if (*m->p != '=') /* hidden, open: HTML's */
			continue;
		if (*++m->p != '"')
			markup_fail(m, "an attribute without quotes");
		for (m->p++; *m->p && *m->p != '"'; m->p++) {
			if (*m->p == '<')
				markup_fail(m, "'<' in an attribute");
			if (*m->p == '&')
				markup_entity(m);
		}
		m->p += *m->p == '"';
	}
}

/* elements that HTML never closes */
static inline bool markup_is_void(const char *name, size_t length)
{
	static const char *const voids[] = {
		"meta", "link", "br", "wbr", "input", "hr", NULL};
	for (size_t i = 0; voids[i]; i++)
		if (strlen(voids[i]) == length && strncmp(voids[i], name, length) == 0)
			return true;
	return false;
}

static inline void markup_close(markup_check *m)
{
	m->p += 2;
	if (m->depth == 0)
		markup_fail(m, "closes what is not open");
	m->depth--;
	if (strncmp(m->p, m->open[m->depth], m->length[m->depth]) != 0 ||
		m->p[m->length[m->depth]] != '>')
		markup_fail(m, "closes another element than the last");
	m->p += m->length[m->depth] + 1;
}

static inline void markup_open(markup_check *m)
{
	const char *name = ++m->p;
	while (markup_is_name(*m->p))
		m->p++;
	size_t length = (size_t)(m->p - name);
	if (length == 0)
		markup_fail(m, "a bare '<'");
	markup_attributes(m);
	bool empty = *m->p == '/';
	m->p += empty;
	if (*m->p++ != '>')
		markup_fail(m, "a tag without end");
	if (empty || markup_is_void(name, length))
		return;
	if (m->depth == MARKUP_DEPTH)
		markup_fail(m, "too deep");
	m->open[m->depth] = name;
	m->length[m->depth++] = length;
	bool raw = strncmp(name, "script>", 7) == 0 || strncmp(name, "style>", 6) == 0;
	while (raw && *m->p && strncmp(m->p, "</", 2) != 0)
		m->p++;
}

static inline void assert_well_formed(const char *text)
{
	markup_check m = {.p = text, .begin = text};
	if (strncmp(m.p, "<?xml", 5) == 0 || strncasecmp(m.p, "<!doctype", 9) == 0)
		m.p = strchr(m.p, '>') + 1;
	while (*m.p) {
		unsigned char c = (unsigned char)*m.p;
		if (strncmp(m.p, "</", 2) == 0) {
			markup_close(&m);
		} else if (c == '<') {
			markup_open(&m);
		} else {
			if (c == '&')
				markup_entity(&m);
			if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
				markup_fail(&m, "a control character");
			if (strncmp(m.p, "]]>", 3) == 0)
				markup_fail(&m, "']]>' in text");
			m.p++;
		}
	}
	if (m.depth)
		fail_msg("%zu elements are never closed", m.depth);
}

#endif
