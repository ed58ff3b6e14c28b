/* Has a tree in the cache changed since it was built? */

#include "git/workspace_internal.h"

enum { FILES_MOST = 1 << 30 }; /* limit for the bytes of a manifest */

/* ---- the marker ---- */

static const char *line_of(const ba_buf *text, size_t *at)
{
	const char *line = text->data + (*at < text->len ? *at : text->len);
	*at += strcspn(line, "\n") + 1;
	return line;
}

bool ba_marker_read(ba_marker *out, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t at = 65;
	if (ba_fs_read(&text, path, BA_MARKER_MOST, NULL) || text.len < 64)
		return false;
	*out = (ba_marker){0};
	memcpy(out->key, text.data, 64);
	const char *about = line_of(&text, &at);
	out->about = ba_xstrndup(about, strcspn(about, "\n"));
	const char *digest = line_of(&text, &at);
	if (strcspn(digest, "\n") == 64)
		memcpy(out->digest, digest, 64);
	return true;
}

BA_OWNS(ba_marker, m, free(m->about))

/* scans the present content of the slot */
static int scan(ba_slot *slot, ba_error *err)
{
	ba_manifest_dispose(&slot->manifest);
	int rc = ba_manifest_scan(
		&slot->manifest, slot->at.dir, slot->ws->stopped, slot->ws->stopped_data, err);
	slot->has_manifest = rc == 0;
	return rc;
}

int ba_slot_write_marker(ba_slot *slot, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	char digest[65];
	BA_TRY(scan(slot, err));
	ba_manifest_format(&list, &slot->manifest);
	ba_sha256_of(digest, list.data, list.len);
	BA_TRY(ba_fs_write_atomic(slot->at.files, list.data, list.len, err));
	BA_AUTO_FREE char *text = ba_xprintf("%s\n%.*s\n%s\n", slot->key, BA_MARKER_MOST - 140,
		slot->about ? slot->about : "", digest);
	return ba_fs_write_atomic(slot->at.marker, text, strlen(text), err);
}

/* ---- the folder compared with its manifest ---- */

typedef struct damage {
	char *text; /* of the first */
	size_t count;
} damage;

static bool note_damage(void *data, const ba_manifest_entry *built, const ba_manifest_entry *now)
{
	damage *d = data;
	if (!built)
		return true;
	if (d->count++ == 0)
		d->text = ba_xprintf("'%s' %s", built->path, now ? "was changed" : "is missing");
	return true;
}

static int read_list(ba_manifest *out, char **damaged, const ba_slot *slot)
{
	BA_AUTO(ba_marker) ba_marker m = {0};
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	char digest[65];
	const char *why = NULL;
	if (!ba_marker_read(&m, slot->at.marker) || !*m.digest)
		why = "an earlier version built it and kept no list of its files";
	else if (ba_fs_read(&list, slot->at.files, FILES_MOST, NULL))
		why = "the list of its files cannot be read";
	if (!why)
		ba_sha256_of(digest, list.data, list.len);
	if (!why && (strcmp(digest, m.digest) != 0 ||
			    ba_manifest_parse(out, list.data, list.len, NULL)))
		why = "the list of its files is damaged";
	*damaged = ba_xstrdup(why);
	return why ? BA_EDATA : 0;
}

int ba_slot_check(char **damaged, ba_slot *slot, const ba_strv *irrelevant, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest built = {0};
	damage d = {0};
	*damaged = NULL;
	if (read_list(&built, damaged, slot))
		return 0;
	BA_TRY(scan(slot, err));
	ba_manifest_diff(&built, &slot->manifest, irrelevant, note_damage, &d);
	*damaged = d.count > 1 ? ba_xprintf("%s, and %zu more", d.text, d.count - 1)
			       : ba_xstrdup(d.text);
	free(d.text);
	return 0;
}

const ba_manifest *ba_slot_manifest(const ba_slot *slot)
{
	return slot->has_manifest ? &slot->manifest : NULL;
}
