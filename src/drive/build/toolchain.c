#include "build/toolchain.h"
#include "json/fields.h"

#define ASK_LIMIT_NS (60 * BA_SECOND)
#define FORMAT "bench-against.toolchain/1"
#define CEILING (1u << 20)
#define ANSWER_MOST (1u << 16)
#define ROWS_MAX 512 /* beyond this, start again without old rows */

/* ---- SHA-256 of files, remembered between runs ---- */

typedef struct stamp {
	uint64_t device, inode, size, mtime_ns, ctime_ns;
} stamp;

typedef struct hash_row {
	char *path;
	stamp stamp;
	char sha256[65];
} hash_row;

typedef struct hashes {
	hash_row *rows;
	size_t count, capacity;
	bool changed;
} hashes;

static const ba_json_field row_fields[] = {
	BA_FIELD(hash_row, path, TEXT),
	BA_FIELD_AS("device", hash_row, stamp.device, U64),
	BA_FIELD_AS("inode", hash_row, stamp.inode, U64),
	BA_FIELD_AS("size", hash_row, stamp.size, U64),
	BA_FIELD_AS("mtime_ns", hash_row, stamp.mtime_ns, U64),
	BA_FIELD_AS("ctime_ns", hash_row, stamp.ctime_ns, U64),
	BA_FIELD(hash_row, sha256, DIGEST),
};

static const ba_json_field fields[] = {BA_FIELD_SCHEMA("format", FORMAT),
	BA_FIELD_LIST("files", hashes, rows, count, BA_FIELDS(row_fields), .most = ROWS_MAX)};

BA_OWNS_HERE(hashes, h, BA_FREE_EACH(row, h->rows, h->count, free(row->path)))

static bool load(hashes *h, const char *path)
{
	ba_json_options options = {.ceiling = CEILING};
	if (!path || ba_fields_load(h, BA_FIELDS(fields), path, &options, NULL))
		return false;
	return BA_ALL(h->rows, h->count, row, strlen(row->sha256) == 64);
}

static void hashes_save(const hashes *h, const char *path, const ba_log *log)
{
	ba_error err;
	if (path && h->changed && ba_fields_save(path, 1, BA_FIELDS(fields), h, &err) < 0)
		ba_log_printf(log, BA_LOG_WARNING,
			"the compilers must be hashed again next time: %s", err.text);
}

static uint64_t time_ns(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The SHA-256 of a file in hex; reads it only if no row has the same stamp. */
static int hashes_get(char out[65], hashes *h, const char *path, ba_error *err)
{
	hash_row *row = BA_FIND(h->rows, h->count, one, strcmp(one->path, path) == 0);
	struct stat st;
	char sha256[65];
	if (stat(path, &st))
		return ba_fail_errno(err, BA_EIO, "'%s'", path);
	stamp now = {(uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		time_ns(st.st_mtim), time_ns(st.st_ctim)};
	if (!row || memcmp(&row->stamp, &now, sizeof(now)) != 0) {
		BA_TRY(ba_sha256_file(sha256, path, err));
		if (!row) {
			row = BA_PUSH(h->rows, h->count, h->capacity);
			*row = (hash_row){.path = ba_xstrdup(path)};
		}
		row->stamp = now;
		memcpy(row->sha256, sha256, 65);
		h->changed = true;
	}
	memcpy(out, row->sha256, 65);
	return 0;
}

/* ---- the tools ---- */

typedef struct search {
	ba_toolchain *out;
	const ba_build_recipe *recipe;
	hashes hashes;
} search;

BA_OWNS(ba_toolchain, t, BA_FREE_EACH(x, t->tools, t->count, BA_FREE(x->name, x->path)))

/* Resolves links. *out stays NULL for a dangling one, which is not a tool. */
static int resolve(char **out, const char *file, ba_error *err)
{
	*out = realpath(file, NULL);
	if (!*out && errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != EACCES)
		return ba_fail_errno(err, BA_EIO, "cannot identify '%s'", file);
	return 0;
}

static int add(search *s, const char *name, const char *file, ba_error *err)
{
	BA_AUTO_FREE char *path = NULL;
	char sha256[65];
	BA_TRY(resolve(&path, file, err));
	if (!path || BA_ANY(s->out->tools, s->out->count, one, strcmp(one->path, path) == 0))
		return 0;
	int rc = hashes_get(sha256, &s->hashes, path, err);
	if (rc < 0)
		return ba_fail_context(err, "cannot identify '%s'", name);
	ba_tool *tool = BA_PUSH(s->out->tools, s->out->count, s->out->capacity);
	*tool = (ba_tool){.name = ba_xstrdup(name), .path = BA_TAKE(path)};
	memcpy(tool->sha256, sha256, 65);
	return 0;
}

/* Asks the compiler where it looks for its programs, because `cc` may be a link to ccache in front of
 * another one; *out stays NULL if it does not say. If it cannot be asked, that is an error: another
 * identity would cause new builds. */
static int ask(char **out, const search *s, const char *compiler, ba_error *err)
{
	static const char title[] = "programs: =";
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO(ba_strv) ba_strv env = {0};
	ba_proc_spec spec = {.argv = (const char *const[]){compiler, "-print-search-dirs", NULL},
		.out = {BA_OUTPUT_HEAD, ANSWER_MOST},
		.limit_ns = ASK_LIMIT_NS};
	ba_error trouble;
	ba_strv_push(&env, "LC_ALL=C"); /* gcc translates the title */
	ba_build_environment(&env, s->recipe, "/", "/tmp");
	spec.env = (const char *const *)env.items;
	int rc = ba_proc_run(&r, &spec, &trouble);
	if (rc < 0 && rc != BA_ENOTFOUND)
		return ba_fail(err, rc, "cannot identify '%s': %s", compiler, trouble.text);
	const char *found = rc == 0 && ba_proc_result_ok(&r) ? strstr(r.out.data, title) : NULL;
	if (found) {
		found += strlen(title);
		/* then in PATH, as the compiler does */
		*out = ba_xprintf("%.*s:%s", (int)strcspn(found, "\n"), found,
			ba_build_recipe_path(s->recipe));
	}
	return 0;
}

static int add_asked(search *s, const char *compiler, ba_error *err)
{
	static const char *const programs[] = {"cc1", "cc1plus", "as", "ld"};
	BA_AUTO_FREE char *path = NULL;
	BA_TRY(ask(&path, s, compiler, err));
	for (size_t i = 0; path && i < BA_COUNT(programs); i++) {
		BA_AUTO_FREE char *file = NULL;
		if (ba_proc_find_program(&file, programs[i], path, "/", NULL) == 0)
			BA_TRY(add(s, programs[i], file, err));
	}
	return 0;
}

static int add_beside_nvcc(search *s, const char *nvcc, ba_error *err)
{
	static const char *const programs[] = {
		"ptxas", "cudafe++", "fatbinary", "nvlink", "../nvvm/bin/cicc"};
	BA_AUTO_FREE char *path = NULL;
	BA_TRY(resolve(&path, nvcc, err));
	BA_AUTO_FREE char *dir = path ? ba_path_dir(path) : NULL;
	for (size_t i = 0; dir && i < BA_COUNT(programs); i++) {
		BA_AUTO_FREE char *file = ba_path_join(dir, programs[i]);
		if (ba_fs_exists(file))
			BA_TRY(add(s, ba_path_base(programs[i]), file, err));
	}
	return 0;
}

typedef enum tool_kind { TOOL_PLAIN, TOOL_COMPILER, TOOL_NVCC } tool_kind;

/* a missing tool is not part of the identity */
static int look_for(search *s, const char *program, tool_kind kind, ba_error *err)
{
	BA_AUTO_FREE char *file = NULL;
	if (ba_proc_find_program(&file, program, ba_build_recipe_path(s->recipe), NULL, NULL) < 0)
		return 0;
	size_t before = s->out->count;
	BA_TRY(add(s, program, file, err));
	/* gcc is often the same file as cc, which was asked already */
	if (s->out->count == before)
		return 0;
	if (kind == TOOL_COMPILER)
		return add_asked(s, file, err);
	return kind == TOOL_NVCC ? add_beside_nvcc(s, file, err) : 0;
}

/* CC may be "ccache gcc -m64": every word that is a program counts */
static int look_for_words(search *s, const char *value, tool_kind kind, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, value, ' ');
	for (size_t i = 0; i < words.count; i++)
		if (*words.items[i] && *words.items[i] != '-')
			BA_TRY(look_for(s, words.items[i], kind, err));
	return 0;
}

static int look_for_all(search *s, ba_error *err)
{
	static const struct {
		const char *program, *variable;
		tool_kind kind;
	} rows[] = {
		{"cc", "CC", TOOL_COMPILER},
		{"c++", "CXX", TOOL_COMPILER},
		{"gcc", NULL, TOOL_COMPILER},
		{"g++", NULL, TOOL_COMPILER},
		{"clang", NULL, TOOL_PLAIN},
		{"clang++", NULL, TOOL_PLAIN},
		{"nvcc", "CUDACXX", TOOL_NVCC},
		{NULL, "NVCC", TOOL_NVCC},
		{"ptxas", NULL, TOOL_PLAIN},
		{"cmake", NULL, TOOL_PLAIN},
		{"make", NULL, TOOL_PLAIN},
		{"ninja", NULL, TOOL_PLAIN},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		const char *value =
			rows[i].variable ? ba_build_recipe_get(s->recipe, rows[i].variable) : NULL;
		if (value)
			BA_TRY(look_for_words(s, value, rows[i].kind, err));
		if (rows[i].program)
			BA_TRY(look_for(s, rows[i].program, rows[i].kind, err));
	}
	for (size_t i = 0; i < s->recipe->command_count; i++) {
		const char *program = s->recipe->commands[i].items[0];
		/* a relative path is a program of the tree */
		if (*program == '/' || !strchr(program, '/'))
			BA_TRY(look_for(s, program, TOOL_PLAIN, err));
	}
	return 0;
}

int ba_toolchain_identify(ba_toolchain *out, const ba_build_recipe *r, const char *cache_file,
	const ba_log *log, ba_error *err)
{
	BA_AUTO(ba_toolchain) ba_toolchain tools = {0};
	search s = {.out = &tools, .recipe = r};
	ba_sha256 all;
	if (!load(&s.hashes, cache_file))
		hashes_dispose(&s.hashes); /* it is unreadable */
	int rc = look_for_all(&s, err);
	if (!rc)
		hashes_save(&s.hashes, cache_file, log);
	hashes_dispose(&s.hashes);
	if (rc < 0)
		return rc;
	ba_sha256_init(&all);
	for (size_t i = 0; i < tools.count; i++) {
		ba_sha256_add_string(&all, tools.tools[i].path);
		ba_sha256_add_string(&all, tools.tools[i].sha256);
	}
	ba_sha256_hex(&all, tools.sha256);
	*out = BA_MOVE(tools);
	return 0;
}
