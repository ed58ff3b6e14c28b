#include "git/attributes.h"

#define SOURCE_CEILING (4u << 20)

BA_OWNS(ba_attributes, a, BA_DISPOSE(ba_strv, &a->convert, &a->program))

/* The literal end of a pattern: ".bin" of "*.bin", "a/b" of "/a/b", "" of "x/" + "**". */
static const char *tail_of(const char *pattern)
{
	const char *tail = pattern + strspn(pattern, "/");
	for (const char *p = tail; *p; p++)
		if (strchr("*?[]\\", *p))
			tail = p + 1;
	return tail;
}

static void add_tail(bool *all, ba_strv *tails, const char *pattern)
{
	const char *tail = tail_of(pattern);
	if (tail[0] == '\0')
		*all = true;
	else if (!*all && !ba_strv_has(tails, tail))
		ba_strv_push(tails, tail);
}

static void add_line(ba_attributes *a, char *line)
{
	line += strspn(line, " \t");
	size_t n = strcspn(line, " \t\r");
	const char *rest = line + n;
	bool converts = strstr(rest, "eol=crlf") || strstr(rest, "ident");
	bool programs = strstr(rest, "filter") || strstr(rest, "working-tree-encoding");
	if (line[0] == '\0' || line[0] == '#' || !(converts || programs))
		return;
	/* a macro can be used by any line, and a quoted pattern is not read here */
	if (line[0] == '"' || strncmp(line, "[attr]", 6) == 0) {
		a->convert_all = a->convert_all || converts;
		a->program_all = a->program_all || programs;
		return;
	}
	line[n] = '\0';
	if (converts)
		add_tail(&a->convert_all, &a->convert, line);
	if (programs)
		add_tail(&a->program_all, &a->program, line);
}

void ba_attributes_add(ba_attributes *a, const char *text, size_t size)
{
	BA_AUTO_FREE char *copy = ba_xmemdup0(text, size);
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_strv_split(&lines, copy, '\n');
	for (size_t i = 0; i < lines.count; i++)
		add_line(a, lines.items[i]);
}

/* One character of a C-quoted string, as git's unquote_c_style() reads it; advances *p
 * past it. -1 if git does not know the escape. */
static int unquote_one(const char **p, const char *end)
{
	static const char from[] = "abtnvfr\\\"", to[] = "\a\b\t\n\v\f\r\\\"";
	const char *q = *p;
	*p = q + 1;
	if (*q != '\\')
		return (unsigned char)*q;
	if (q + 1 == end)
		return -1;
	*p = q + 2;
	const char *simple = memchr(from, q[1], sizeof(from) - 1);
	if (simple)
		return to[simple - from];
	int value = 0;
	for (int i = 1; i <= 3; i++) {
		if (q + i >= end || q[i] < '0' || q[i] > (i == 1 ? '3' : '7'))
			return -1;
		value = 8 * value + (q[i] - '0');
	}
	*p = q + 4;
	return value;
}

/* Appends `"a b" text` as `a\ b text`. Returns false and appends nothing if git would not
 * treat it as quoted. Git's pattern ends at a NUL ("\000"). */
static bool put_unquoted(ba_buf *out, const char *line, size_t n)
{
	const char *end = line + n;
	const char *p = line + 1;
	size_t start = out->len;
	bool ended = false, known = true;
	while (known && p < end && *p != '"') {
		int c = unquote_one(&p, end);
		known = c >= 0;
		ended = ended || c <= 0;
		if (!ended && (c == ' ' || c == '\t'))
			ba_buf_putc(out, '\\');
		if (!ended)
			ba_buf_putc(out, (char)c);
	}
	if (!known || p >= end) {
		ba_buf_truncate(out, start);
		return false;
	}
	ba_buf_put(out, p + 1, (size_t)(end - p - 1));
	return true;
}

/* Appends one line, with its line break, in the form that libgit2 understands; nothing if git
 * ignores the line. Returns whether that differs from the line. */
static bool translate_line(ba_buf *out, const char *line, size_t n)
{
	size_t length = n > 0 && line[n - 1] == '\n' ? n - 1 : n;
	size_t blank = 0;
	while (blank < n && (line[blank] == ' ' || line[blank] == '\t'))
		blank++;
	char first = blank < n ? line[blank] : '\0';
	if (length >= BA_ATTRIBUTES_LINE_CEILING || first == '!')
		return true;
	if (first == '"' && put_unquoted(out, line + blank, n - blank))
		return true;
	ba_buf_put(out, line, n);
	return false;
}

bool ba_attributes_translate(ba_buf *out, const char *text, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf";
	if (size >= BA_ATTRIBUTES_CEILING)
		return true;
	/* git reads the file as a C string */
	const char *nul = size > 0 ? memchr(text, '\0', size) : NULL;
	size_t end = nul ? (size_t)(nul - text) : size;
	bool differs = nul != NULL;
	/* a part of the first pattern: libgit2 would skip it at the start of a file */
	if (end >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
		ba_buf_putc(out, '\n');
		differs = true;
	}
	for (size_t i = 0, n; i < end; i += n) {
		const char *stop = memchr(text + i, '\n', end - i);
		n = stop ? (size_t)(stop - (text + i)) + 1 : end - i;
		differs = translate_line(out, text + i, n) || differs;
	}
	return differs;
}

static bool ends_as_one(const ba_strv *tails, const char *path)
{
	size_t n = strlen(path);
	for (size_t i = 0; i < tails->count; i++) {
		size_t m = strlen(tails->items[i]);
		/* core.ignorecase makes patterns match either case */
		if (m <= n && strcasecmp(path + n - m, tails->items[i]) == 0)
			return true;
	}
	return false;
}

bool ba_attributes_may_convert(const ba_attributes *a, const char *path)
{
	return a->convert_all || ends_as_one(&a->convert, path);
}

bool ba_attributes_may_program(const ba_attributes *a, const char *path)
{
	return a->program_all || ends_as_one(&a->program, path);
}

static void add_file(ba_attributes *a, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!ba_fs_exists(path))
		return;
	if (ba_fs_read(&text, path, SOURCE_CEILING, NULL) == 0)
		ba_attributes_add(a, text.data, text.len);
	else
		a->convert_all = a->program_all = true;
}

static void add_search_path(ba_attributes *a, int level, const char *name)
{
	git_buf dirs = {0};
	if (git_libgit2_opts(GIT_OPT_GET_SEARCH_PATH, level, &dirs) == 0 && dirs.ptr) {
		BA_AUTO(ba_strv) ba_strv list = {0};
		ba_strv_split(&list, dirs.ptr, ':');
		for (size_t i = 0; i < list.count; i++) {
			BA_AUTO_FREE char *path = ba_path_join(list.items[i], name);
			add_file(a, path);
		}
	}
	git_buf_dispose(&dirs);
}

/* Does the configuration write CRLF to files without attributes? */
static bool config_converts(git_config *config)
{
	BA_AUTO_PTR(git_config_entry) git_config_entry *entry = NULL;
	const char *value;
	int on = 0;
	/* without a value it is true */
	if (git_config_get_entry(&entry, config, "core.autocrlf") == 0 &&
		(!entry->value || strcasecmp(entry->value, "input") != 0) &&
		git_config_parse_bool(&on, entry->value) == 0 && on)
		return true;
	return git_config_get_string(&value, config, "core.eol") == 0 &&
	       strcasecmp(value, "crlf") == 0;
}

void ba_attributes_add_outside(ba_attributes *a, git_repository *private)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL, *frozen = NULL;
	BA_AUTO_FREE char *info = ba_path_join(git_repository_path(private), "info/attributes");
	git_buf path = {0};
	add_file(a, info);
	add_search_path(a, GIT_CONFIG_LEVEL_XDG, "attributes");
	add_search_path(a, GIT_CONFIG_LEVEL_SYSTEM, "gitattributes");
	if (git_repository_config(&config, private) || git_config_snapshot(&frozen, config)) {
		a->convert_all = a->program_all = true;
		return;
	}
	if (git_config_get_path(&path, frozen, "core.attributesfile") == 0)
		add_file(a, path.ptr);
	git_buf_dispose(&path);
	a->convert_all = a->convert_all || config_converts(frozen);
}

static const char *driver_in(const char *value)
{
	return git_attr_value(value) == GIT_ATTR_VALUE_STRING ? value : NULL;
}

int ba_git_filter_of(
	const char **filter, const char **encoding, git_repository *handle, const char *path)
{
	static const char *names[] = {"filter", "working-tree-encoding"};
	const char *values[2] = {NULL, NULL};
	int rc = git_attr_get_many(values, handle, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, 2, names);
	*filter = driver_in(values[0]);
	*encoding = driver_in(values[1]);
	return rc;
}

int ba_attributes_route(ba_route *out, git_repository *private, const char *path, ba_error *err)
{
	const char *filter, *encoding;
	if (ba_git_filter_of(&filter, &encoding, private, path))
		return ba_git_fail(err, BA_EIO, "the attributes of '%s' cannot be read", path);
	ba_route route = BA_ROUTE_PLAIN;
	if (filter && strcmp(filter, "lfs") == 0)
		route = BA_ROUTE_LFS;
	else if (filter && ba_git_filter_is_configured(private, filter))
		route = BA_ROUTE_PROGRAM;
	else if (filter && ba_git_filter_is_required(private, filter))
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' needs the filter '%s', which is required and not configured; set filter.%s.smudge",
			path, filter, filter);
	if (encoding)
		route = BA_ROUTE_PROGRAM;
	*out = route;
	return 0;
}
