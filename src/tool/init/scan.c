#include "init/scan.h"

#define DEPTH_MOST 5
#define FILES_MOST 20000
#define TEXT_MOST (1u << 20)

static bool is_passed_over(const char *name)
{
	static const char *const names[] = {"node_modules", "third_party", "thirdparty",
		"third-party", "vendor", "external", "extern", "deps", "dist", "venv",
		"site-packages", "__pycache__"};
	return *name == '.' || ba_text_starts(name, "build-") ||
	       BA_ANY(names, BA_COUNT(names), x, strcmp(name, *x) == 0);
}

static void walk(ba_strv *out, const char *top, const char *folder, int depth)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO_FREE char *dir = *folder ? ba_path_join(top, folder) : ba_xstrdup(top);
	ba_error ignored;
	if (ba_fs_names(&names, dir, &ignored))
		return;
	for (size_t i = 0; i < names.count && out->count < FILES_MOST; i++) {
		struct stat st;
		const char *name = names.items[i];
		BA_AUTO_FREE char *path = *folder ? ba_path_join(folder, name) : ba_xstrdup(name);
		BA_AUTO_FREE char *whole = ba_path_join(top, path);
		if (is_passed_over(name) || lstat(whole, &st))
			continue;
		if (S_ISREG(st.st_mode))
			ba_strv_push(out, path);
		else if (S_ISDIR(st.st_mode) && depth < DEPTH_MOST)
			walk(out, top, path, depth + 1);
	}
}

void ba_scan_files(ba_strv *out, const char *top)
{
	walk(out, top, "", 0);
}

char *ba_scan_text(const char *top, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *whole = ba_path_join(top, path);
	ba_error ignored;
	bool readable = ba_fs_is_file_below(whole, top) &&
			ba_fs_read(&text, whole, TEXT_MOST, &ignored) == 0 && text.data;
	return readable ? ba_buf_detach(&text) : ba_xstrdup("");
}

bool ba_scan_has(const char *top, const char *path, const char *text)
{
	BA_AUTO_FREE char *whole = ba_scan_text(top, path);
	return strstr(whole, text) != NULL;
}

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool ba_scan_is_word(const char *text, const char *at, size_t size)
{
	return (at == text || !is_in_word(at[-1])) && !is_in_word(at[size]);
}

void ba_scan_calls(ba_strv *out, const char *text, const char *function)
{
	size_t size = strlen(function);
	for (const char *at = strstr(text, function); at; at = strstr(at + 1, function)) {
		const char *open = at + size + strspn(at + size, " \t");
		const char *end = *open == '(' ? strchr(open, ')') : NULL;
		if (end && ba_scan_is_word(text, at, size))
			ba_strv_push_take(out, ba_xstrndup(open + 1, (size_t)(end - open - 1)));
	}
}

static char *value_of(const char *text, const char *variable)
{
	BA_AUTO(ba_strv) ba_strv calls = {0};
	ba_scan_calls(&calls, text, "set");
	for (size_t i = 0; i < calls.count; i++) {
		const char *call = calls.items[i] + strspn(calls.items[i], " \t\n\"");
		size_t size = strcspn(call, " \t\n\"");
		if (strlen(variable) == size && strncmp(call, variable, size) == 0) {
			call += size;
			call += strspn(call, " \t\n\"");
			return ba_xstrndup(call, strcspn(call, " \t\n\""));
		}
	}
	return NULL;
}

char *ba_scan_first_word(const char *text, const char *call)
{
	call += strspn(call, " \t\n\"'");
	char *word = ba_xstrndup(call, strcspn(call, " \t\n\"',"));
	size_t size = strlen(word);
	if (ba_text_starts(word, "${") && size > 3 && word[size - 1] == '}') {
		BA_AUTO_FREE char *variable = ba_xstrndup(word + 2, size - 3);
		ba_text_own(&word, value_of(text, variable));
	}
	if (word && (!*word || strpbrk(word, "${}@/<>"))) {
		free(word);
		word = NULL;
	}
	return word;
}

/* Does a test in the file have a parameter `benchmark`? */
static bool uses_fixture(const char *text)
{
	for (const char *at = strstr(text, "def test"); at; at = strstr(at + 8, "def test")) {
		const char *open = strchr(at, '(');
		const char *end = open ? strchr(open, ')') : NULL;
		for (const char *word = open; word && word < end;) {
			word = strstr(word + 1, "benchmark");
			if (word && word < end && ba_scan_is_word(text, word, 9))
				return true;
		}
	}
	return false;
}

void ba_scan_fixtures(ba_strv *out, const char *top, const ba_strv *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i];
		if (!ba_text_ends(path, ".py"))
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, path);
		if (!uses_fixture(text))
			continue;
		BA_AUTO_FREE char *folder = ba_xstrndup(path, strcspn(path, "/"));
		bool own = strchr(path, '/') && strncmp(folder, "bench", 5) == 0;
		const char *what = own ? folder : path;
		if (!ba_strv_has(out, what))
			ba_strv_push(out, what);
	}
}
