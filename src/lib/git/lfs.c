#include "git/attributes.h"

/* no pointer is larger; git-lfs itself reads at most this much */
#define POINTER_CEILING 1024

static bool is_version(const char *line)
{
	return strcmp(line, "version https://git-lfs.github.com/spec/v1") == 0 ||
	       strcmp(line, "version https://hawser.github.com/spec/v1") == 0;
}

bool ba_lfs_pointer_parse(ba_lfs_pointer *out, const char *data, size_t size)
{
	static const char oid[] = "oid sha256:";
	static const char bytes[] = "size ";
	ba_lfs_pointer p = {0};
	bool has_size = false;
	if (size >= POINTER_CEILING || memchr(data, '\0', size))
		return false;
	BA_AUTO_FREE char *text = ba_xmemdup0(data, size);
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_strv_split(&lines, text, '\n');
	if (lines.count < 3 || !is_version(lines.items[0]))
		return false;
	for (size_t i = 1; i < lines.count; i++) {
		const char *line = lines.items[i];
		if (ba_text_starts(line, oid)) {
			const char *hex = line + strlen(oid);
			if (strlen(hex) != 64 || hex[strspn(hex, "0123456789abcdef")])
				return false;
			memcpy(p.sha256, hex, 65);
		} else if (ba_text_starts(line, bytes)) {
			has_size = ba_parse_u64(&p.size, line + strlen(bytes), 0, INT64_MAX, "size",
					   NULL) == 0;
		} else if (line[0] != '\0') {
			return false; /* only git-lfs knows extensions */
		}
	}
	if (!has_size || !p.sha256[0])
		return false;
	*out = p;
	return true;
}

static char *config_string(git_repository *handle, const char *name)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	git_buf value = {0};
	char *out = NULL;
	if (git_repository_config(&config, handle) == 0 &&
		git_config_get_string_buf(&value, config, name) == 0 && value.size > 0)
		out = ba_xstrdup(value.ptr);
	git_buf_dispose(&value);
	return out;
}

char *ba_lfs_storage(git_repository *handle, const char *common_dir)
{
	BA_AUTO_FREE char *set = config_string(handle, "lfs.storage");
	return ba_path_join(common_dir, set ? set : "lfs");
}

char *ba_lfs_object_path(const char *storage, const ba_lfs_pointer *pointer)
{
	const char *hex = pointer->sha256;
	return ba_xprintf("%s/objects/%.2s/%.2s/%s", storage, hex, hex + 2, hex);
}

bool ba_lfs_file_matches(git_repository *handle, const git_oid *blob_id, const char *file)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	ba_lfs_pointer pointer;
	struct stat st;
	char sha256[65];
	if (git_blob_lookup(&blob, handle, blob_id) ||
		!ba_lfs_pointer_parse(
			&pointer, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob)))
		return false;
	if (lstat(file, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size != pointer.size)
		return false;
	return ba_sha256_file(sha256, file, NULL) == 0 && strcmp(sha256, pointer.sha256) == 0;
}

bool ba_git_filter_is_configured(git_repository *handle, const char *name)
{
	static const char *const programs[] = {"smudge", "process", "clean"};
	bool any = false;
	for (size_t i = 0; i < BA_COUNT(programs); i++) {
		BA_AUTO_FREE char *key = ba_xprintf("filter.%s.%s", name, programs[i]);
		BA_AUTO_FREE char *program = config_string(handle, key);
		any = any || program;
	}
	return any;
}

bool ba_git_filter_is_required(git_repository *handle, const char *name)
{
	BA_AUTO_FREE char *key = ba_xprintf("filter.%s.required", name);
	return ba_git_config_bool(handle, key, false);
}
