/* The files with device code in a built tree; what a suite's processes execute of them, and which
 * benchmarks a GPU must measure because of it. */
#include "codediff/codediff.h"
#include "report/machine/machine.h"

#define FILE_MOST ((size_t)2 << 30)
enum { DEPTH_MOST = 64 };

typedef struct finding {
	ba_code_side *side;
	ba_code_skips *skips;
	void *data;
	bool named; /* the file was named, so it must hold device code */
} finding;

/* ---- one file ---- */

/* Does its name say that it is device code? */
static bool claims(const char *name)
{
	return ba_text_ends(name, ".ptx") || ba_text_ends(name, ".cubin") ||
	       ba_text_ends(name, ".fatbin");
}

/* Do its first bytes, or its name, belong to a file that may hold device code? */
static bool may_hold(const char *path, const char *name)
{
	static const char *const starts[] = {"\177\105LF", "!<ar", "\x50\xed\x55\xba"};
	char head[4] = {0};
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool whole = fd >= 0 && ba_fs_read_some(fd, head, sizeof(head)) == sizeof(head);
	return (whole && BA_ANY(starts, BA_COUNT(starts), one,
				 memcmp(head, *one, sizeof(head)) == 0)) ||
	       claims(name);
}

/* nvcc and ptxas leave "cuda_13.0.r13.0/compiler.36424714_0" in each cubin. */
static void note_toolkits(ba_code_side *side, const char *data, size_t bytes)
{
	static const char mark[] = "/compiler.";
	const char *end = data + bytes, *at = data;
	while ((at = memmem(at, (size_t)(end - at), mark, sizeof(mark) - 1))) {
		const char *start = at, *stop = at + sizeof(mark) - 1;
		while (start > data && start > at - 24 && strncmp(start, "cuda_", 5) != 0)
			start--;
		while (stop < end && stop < at + 32 &&
			(*stop == '_' || (*stop >= '0' && *stop <= '9')))
			stop++;
		BA_AUTO_FREE char *found = ba_xstrndup(start, (size_t)(stop - start));
		if (strncmp(start, "cuda_", 5) == 0 && !ba_strv_has(&side->toolkits, found))
			ba_strv_push_take(&side->toolkits, ba_text_safe(found));
		at = stop;
	}
	ba_strv_sort(&side->toolkits);
}

static bool is_library(const char *path)
{
	const char *so = strstr(ba_path_base(path), ".so");
	return so && (so[3] == '\0' || so[3] == '.');
}

/* unreadable: NULL or a sentence, which the file gets */
static void add_file(
	finding *f, const char *relative, const ba_buf *text, size_t before, char *unreadable)
{
	ba_code_side *side = f->side;
	ba_code_file file = {.bytes = text->len,
		.kernels = side->kernels.count - before,
		.is_library = is_library(relative),
		.unreadable = unreadable};
	if (unreadable)
		ba_sha256_of(file.sha256, text->data, text->len);
	else
		ba_host_digest(file.host, text->data, text->len);
	if (!file.kernels && !*file.host && !file.is_library && !unreadable)
		return;
	file.path = ba_xstrdup(relative);
	*BA_PUSH(side->files, side->file_count, side->file_capacity) = file;
	side->file_of = BA_GROW(side->file_of, &side->file_of_capacity, side->kernels.count + 1);
	for (size_t i = before; i < side->kernels.count; i++)
		side->file_of[i] = side->file_count - 1;
}

static int read_file(finding *f, const char *path, const char *relative, ba_error *err)
{
	ba_code_side *side = f->side;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t before = side->kernels.count, images = 0;
	BA_AUTO_FREE char *where = ba_fs_is_dir(side->root)
					   ? ba_xprintf("'%s' of %s", relative, side->label)
					   : ba_xprintf("'%s'", side->label);
	side->searched++;
	BA_TRY(ba_fs_read(&text, path, FILE_MOST, err));
	int rc = ba_kernels_find(&side->kernels, &images, text.data, text.len, err);
	if (rc)
		rc = ba_fail_context(err, "%s", where);
	else if (images == 0 && (f->named || claims(relative)))
		rc = ba_fail(err, BA_EINVAL, "%s holds no device code", where);
	if (rc && (f->named || rc != BA_EINVAL))
		return rc;
	/* what was found before the damage is not all there is */
	for (; rc && side->kernels.count > before; side->kernels.count--)
		ba_kernel_code_dispose(&side->kernels.items[side->kernels.count - 1]);
	if (images)
		note_toolkits(side, text.data, text.len);
	add_file(f, relative, &text, before, rc ? ba_xstrdup(err->text) : NULL);
	return 0;
}

/* ---- folders ---- */

static int visit(finding *f, const char *path, const char *relative, int depth, ba_error *err);

static int visit_folder(
	finding *f, const char *path, const char *relative, int depth, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	if (depth > DEPTH_MOST)
		return ba_fail(err, BA_EINVAL, "'%s' of %s: folders are nested too deeply",
			relative, f->side->label);
	BA_TRY(ba_fs_names(&names, path, err));
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO_FREE char *inner = ba_path_join(path, names.items[i]);
		BA_AUTO_FREE char *shown = *relative ? ba_path_join(relative, names.items[i])
						     : ba_xstrdup(names.items[i]);
		if (strcmp(names.items[i], ".git") != 0)
			BA_TRY(visit(f, inner, shown, depth, err));
	}
	return 0;
}

/* Links are not followed: what they lead to is met under its own name. */
static int visit(finding *f, const char *path, const char *relative, int depth, ba_error *err)
{
	struct stat st;
	if (lstat(path, &st))
		return ba_fail_errno(err, BA_EIO, "'%s'", path);
	if (S_ISDIR(st.st_mode))
		return visit_folder(f, path, relative, depth + 1, err);
	if (!S_ISREG(st.st_mode) || !may_hold(path, relative) ||
		(f->skips && f->skips(f->data, relative)))
		return 0;
	return read_file(f, path, relative, err);
}

/* A path that was named: a file must hold device code, and a link is followed. */
static int visit_named(finding *f, const char *path, const char *relative, ba_error *err)
{
	finding named = *f;
	named.named = true;
	named.skips = NULL;
	if (ba_fs_is_dir(path))
		return visit_folder(&named, path, relative, 0, err);
	return read_file(&named, path, relative, err);
}

static int visit_paths(finding *f, const char *root, const ba_strv *paths, ba_error *err)
{
	for (size_t i = 0; i < paths->count; i++) {
		BA_AUTO_FREE char *path = ba_path_join(root, paths->items[i]);
		if (!ba_fs_exists(path))
			return ba_fail(err, BA_EINVAL, "code.paths: %s has no '%s' after its build",
				f->side->label, paths->items[i]);
		BA_TRY(visit_named(f, path, paths->items[i], err));
	}
	return 0;
}

int ba_codediff_read(ba_code_side *side, const char *label, const char *root, const ba_strv *paths,
	ba_code_skips *skips, void *data, ba_error *err)
{
	finding f = {.side = side, .skips = skips, .data = data};
	side->label = ba_text_safe(label);
	side->root = ba_xstrdup(root);
	if (!ba_fs_is_dir(root))
		return visit_named(&f, root, ba_path_base(root), err);
	return paths && paths->count ? visit_paths(&f, root, paths, err)
				     : visit_folder(&f, root, "", 0, err);
}

/* Whatever a damaged file holds, it is the same if its bytes are. */
static int check_readable(ba_codediff *d, int of, ba_error *err)
{
	const ba_code_side *side = &d->sides[of];
	for (size_t i = 0; i < side->file_count; i++) {
		const ba_code_file *f = &side->files[i], *other;
		if (!f->unreadable)
			continue;
		other = ba_code_file_find(&d->sides[!of], f->path);
		if (!other || strcmp(f->sha256, other->sha256) != 0)
			return ba_fail(err, BA_EINVAL,
				"%s; its kernels are unknown, and %s has other bytes there. If your benchmarks do not use it, name the files to compare with \"code\": {\"paths\": [...]}",
				f->unreadable, d->sides[!of].label);
		if (of)
			ba_strv_printf(&d->found.notes, "%s; %s has the same bytes", f->unreadable,
				d->sides[0].label);
	}
	return 0;
}

int ba_codediff_check(ba_codediff *d, ba_error *err)
{
	for (int i = 0; i < 2; i++) {
		const ba_code_side *side = &d->sides[i];
		BA_TRY(check_readable(d, i, err));
		if (side->kernels.count == 0)
			return ba_fail(err, BA_EINVAL,
				"%s has no kernel: %zu %s of '%s' could hold device code, and none does; name the right ones with \"code\": {\"paths\": [...]}",
				side->label, side->searched,
				ba_plural(side->searched, "file", "files"), side->root);
	}
	return 0;
}

static const char *path_of(const ba_suite_config *suite)
{
	const char *path = suite->library	  ? suite->library
			   : suite->command.count ? suite->command.items[0]
						  : "";
	while (ba_text_starts(path, "./"))
		path += 2;
	return path;
}

/* Programs may load libraries that no suite names, and device code in files with hashed names. */
static bool is_loadable(const ba_code_file *f, const ba_config *config)
{
	return claims(f->path) || f->unreadable ||
	       (f->is_library && !BA_ANY(config->suites, config->suite_count, s,
					 s->library && strcmp(s->library, f->path) == 0));
}

static bool is_of_suite(
	const ba_code_file *f, const ba_suite_config *suite, const ba_config *config)
{
	return strcmp(f->path, path_of(suite)) == 0 || is_loadable(f, config);
}

static void put_host(ba_strv *out, const ba_code_side *side, const ba_suite_config *suite,
	const ba_config *config)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	char digest[65];
	ba_sha256 sum;
	bool known = ba_code_file_find(side, path_of(suite));
	BA_EACH (const ba_code_file, f, side->files, side->file_count) {
		bool images = !f->unreadable && claims(f->path);
		if (images || !is_of_suite(f, suite, config))
			continue;
		known &= *f->host != '\0';
		ba_strv_printf(&lines, "%s %s", f->path, f->host);
	}
	ba_strv_sort(&lines);
	ba_sha256_init(&sum);
	for (size_t i = 0; i < lines.count; i++)
		ba_sha256_add_string(&sum, lines.items[i]);
	ba_sha256_hex(&sum, digest);
	ba_strv_push(out, known ? digest : "");
}

void ba_code_suite_put(ba_measured_suite *out, const ba_code_side *side,
	const ba_suite_config *suite, const ba_config *config)
{
	char digest[65];
	size_t variant = out->host.count;
	put_host(&out->host, side, suite, config);
	for (size_t i = 0; i < side->kernels.count; i++) {
		const ba_kernel_code *k = &side->kernels.items[i];
		const ba_code_file *f = &side->files[side->file_of[i]];
		BA_AUTO_FREE char *name = ba_xstrdup(k->mangled);
		ba_host_clear_hashes(name, strlen(name));
		/* its host code has these names; files of device code may have hashes in theirs */
		if (is_of_suite(f, suite, config))
			ba_strv_printf(&out->kernels, "%zu %s %s %s %s %d %s", variant, k->mangled,
				*f->host ? f->path : "", *f->host ? name : k->name, k->target,
				(int)k->is_ptx, k->open ? "?" : k->whole);
	}
	ba_measured_suite_digest(digest, out, variant, NULL);
	ba_strv_push(&out->executes, digest);
}

void ba_codediff_list(
	ba_buf *out, const ba_codediff *d, const ba_suite_list *suites, const ba_config *config)
{
	for (size_t i = 0; suites && i < suites->count; i++) {
		const ba_suite_config *s = suites->items[i];
		ba_measured_suite m = {0};
		for (int side = 0; side < 2; side++)
			ba_code_suite_put(&m, &d->sides[side], s, config);
		if (!*m.executes.items[0] || strcmp(m.executes.items[0], m.executes.items[1]) != 0)
			ba_buf_printf(out, "%s/*\n", s->name);
		ba_measured_suite_dispose(&m);
	}
	for (size_t i = 0; i < d->found.pair_count && !suites; i++) {
		ba_machine_put_name(out, &d->found.pairs[i], true);
		ba_buf_putc(out, '\n');
	}
}
