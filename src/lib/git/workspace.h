/*
 * The part of the tool's cache directory that holds trees.
 *
 *     <root>/trees/<16 hex>-<letter>           a tree; all paths have the same length
 *     <root>/trees/<16 hex>-<letter>.lock      flock: exclusive while it is filled,
 *                                              shared while it is used
 *     <root>/trees/<16 hex>-<letter>.files     manifest of the completed tree
 *     <root>/trees/<16 hex>-<letter>.complete  marker: its key, a description, and the
 *                                              digest of the manifest; written last
 *     <root>/run/<16 hex>/                     scratch of one run, with a .lock
 *     <root>/trash/                            to be deleted
 *
 * Everything that begins with a tree's name belongs to the tree: only the process that
 * holds its lock exclusively may remove any of it.
 *
 * Locks end with their process, also in a container that shares the cache and numbers
 * its processes differently. So a tree that is neither locked nor complete was left by
 * a killed run; the next ba_workspace_sweep moves it to the trash. Deletion waits for
 * the end of a run (ba_workspace_tidy), because some file systems create files slowly
 * after a deletion.
 *
 *     BA_AUTO_PTR(ba_workspace) ba_workspace *ws = NULL;
 *     ba_workspace_open(&ws, root, log, err);
 *     ba_workspace_sweep(ws, err);
 *     ba_workspace_acquire_all(slots, ws, wanted, n, err);
 *     for each complete slot:
 *             ba_slot_check(&damage, slot, NULL, err);
 *             if (damage) ba_slot_reset(slot, err);
 *     for each other slot:
 *             fill it;
 *             ba_slot_complete(slot, err);
 *     ... use ...
 *     ba_workspace_free(ws);  -- releases, drops incomplete trees, empties the trash
 *
 * One thread at a time per workspace; any number of processes per root.
 */
#pragma once

#include "base/base.h"
#include "base/manifest.h"

typedef struct ba_workspace ba_workspace;
typedef struct ba_slot ba_slot; /* owned by its workspace */

/* Makes what is missing below root. BA_EIO, with what to do, if it cannot be written.
 * `log` must outlive the handle. */
int ba_workspace_open(ba_workspace **out, const char *root, const ba_log *log, ba_error *err);
/* A wait for another run's lock ends with BA_EINTERRUPTED once stopped() is true, or
 * after a signal handler ran. */
void ba_workspace_set_stop(ba_workspace *ws, bool (*stopped)(void *data), void *data);
/* Releases every slot and the scratch directory, then tidies; also the cleanup after
 * Ctrl-C. */
BA_DECLARE_FREE(ba_workspace)

typedef struct ba_slot_key {
	const char *key;   /* 64 hex digits, the content key */
	unsigned instance; /* 0..25: the same content again, to compare A with A */
} ba_slot_key;

/* Locks the tree of a key: shared if it is complete, otherwise exclusively, with an
 * empty directory to fill. Waits while another run fills it. BA_EINVAL: this (key,
 * instance) is already taken. */
int ba_workspace_acquire(ba_slot **out, ba_workspace *ws, const ba_slot_key *key, ba_error *err);
/* Takes all or none, in an order in which two runs cannot deadlock. Use it for more
 * than one slot. */
int ba_workspace_acquire_all(
	ba_slot **out, ba_workspace *ws, const ba_slot_key *keys, size_t count, ba_error *err);

const char *ba_slot_dir(const ba_slot *slot); /* absolute */
bool ba_slot_is_complete(const ba_slot *slot);
/* A description for people, of which the first line is kept when the slot is
 * completed. */
void ba_slot_describe(ba_slot *slot, const char *about);
/* The tree is complete: writes its manifest and its marker, and lets others share
 * it. */
int ba_slot_complete(ba_slot *slot, ba_error *err);
/* Reads all of a complete tree. If it was changed since, *damage is a few words for
 * people ("'lib/x.so' was changed"), which the caller frees; else NULL. Added files,
 * and files that a glob of `irrelevant` matches (NULL: none), are not damage. */
int ba_slot_check(char **damage, ba_slot *slot, const ba_strv *irrelevant, ba_error *err);
/* Its manifest, as of _complete or _check; NULL before. Valid as long as the slot. */
const ba_manifest *ba_slot_manifest(const ba_slot *slot);
/* Turns a complete slot into an empty one to fill again; BA_EIO if another run uses
 * it. */
int ba_slot_reset(ba_slot *slot, ba_error *err);
/* An incomplete tree goes to the trash. The handle is invalid afterwards. NULL is
 * fine. */
void ba_slot_release(ba_slot *slot);

/* A directory for this run alone, made at the first call; absolute, valid as long as
 * ws. */
int ba_workspace_scratch(const char **out, ba_workspace *ws, ba_error *err);

/* died() gets the scratch directory of each run that died, before it is moved away, to
 * end processes that still use it. */
void ba_workspace_set_died(
	ba_workspace *ws, void (*died)(void *data, const char *scratch), void *data);
/* Moves what dead runs left behind to the trash. */
int ba_workspace_sweep(ba_workspace *ws, ba_error *err);
/* Empties the trash. If another run is doing so, leaves it to that run. */
int ba_workspace_tidy(ba_workspace *ws, ba_error *err);

typedef struct ba_workspace_entry {
	char name[24]; /* "<16 hex>-<letter>" */
	char key[65];
	char *dir;
	char *about; /* from ba_slot_describe; "" if unknown */
	uint64_t bytes;
	int64_t last_used; /* seconds since 1970 */
	bool in_use;
} ba_workspace_entry;

typedef struct ba_workspace_list {
	ba_workspace_entry *entries; /* complete trees, least recently used first */
	size_t count;
	uint64_t bytes;
	char *unread; /* a complete tree that could not be read; NULL: none */
} ba_workspace_list;

int ba_workspace_list_trees(ba_workspace_list *out, ba_workspace *ws, ba_error *err);
BA_DECLARE_DISPOSE(ba_workspace_list)

typedef struct ba_prune {
	int64_t now;	    /* seconds since 1970 */
	int64_t max_age;    /* seconds since the last use; negative: no limit */
	uint64_t max_bytes; /* keep at most this much, newest first; UINT64_MAX: all */
} ba_prune;

typedef struct ba_pruned {
	size_t trees;
	uint64_t bytes;
	size_t in_use; /* number of trees that were not removed because a run uses them */
} ba_pruned;

/* Moves trees to the trash and empties it. */
int ba_workspace_prune(ba_pruned *out, ba_workspace *ws, const ba_prune *policy, ba_error *err);
