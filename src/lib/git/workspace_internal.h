/* Declarations shared by the files workspace_*.c. */
#pragma once

#include "git/lock.h"
#include "git/workspace.h"

#define BA_SCRATCH_NAME 16 /* hex digits */
#define BA_SLOT_NAME 18	   /* 16 hex digits, '-', a letter */
#define BA_LOCK_SUFFIX ".lock"
#define BA_COMPLETE_SUFFIX ".complete"
#define BA_FILES_SUFFIX ".files"

enum { BA_MARKER_MOST = 4096 }; /* limit for the bytes of a marker */

/* The paths that belong to a tree (git/workspace.h), or to a scratch directory. */
typedef struct ba_tree_paths {
	char *dir, *lock, *marker, *files;
} ba_tree_paths;

ba_tree_paths ba_tree_paths_of(const char *parent, const char *name);
BA_DECLARE_DISPOSE(ba_tree_paths)

struct ba_slot {
	ba_workspace *ws;
	char key[65];
	char name[BA_SLOT_NAME + 1];
	ba_tree_paths at;
	char *about; /* description for people; or NULL */
	ba_lock lock;
	bool complete;
	ba_manifest manifest; /* valid if has_manifest */
	bool has_manifest;
	ba_slot *next;
};

struct ba_workspace {
	char *trees, *trash, *run;
	const ba_log *log;
	bool (*stopped)(void *data);
	void *stopped_data;
	void (*died)(void *data, const char *scratch);
	void *died_data;
	ba_slot *slots;
	char *scratch; /* NULL until asked for */
	ba_lock scratch_lock;
};

/* Moves it to the trash; a missing path is fine. */
int ba_workspace_trash(ba_workspace *ws, const char *path, ba_error *err);
/* The same with the directory of a tree, whose marker and manifest are removed before. */
int ba_workspace_trash_tree(ba_workspace *ws, const ba_tree_paths *p, ba_error *err);

typedef struct ba_marker {
	char key[65];
	char *about;	 /* for people; "" if unknown */
	char digest[65]; /* digest of the manifest; "": written by an earlier version */
} ba_marker;

/* False if there is none, or if it is damaged. */
bool ba_marker_read(ba_marker *out, const char *path);
BA_DECLARE_DISPOSE(ba_marker)

/* Writes the manifest, then the marker. */
int ba_slot_write_marker(ba_slot *slot, ba_error *err);
