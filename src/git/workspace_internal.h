/* What workspace.c and workspace_keep.c share. */
#ifndef GIT_WORKSPACE_INTERNAL_H
#define GIT_WORKSPACE_INTERNAL_H

#include "git/lock.h"
#include "git/workspace.h"

#define BA_SLOT_NAME 18 /* 16 hex digits, '-', a letter */
#define BA_LOCK_SUFFIX ".lock"
#define BA_COMPLETE_SUFFIX ".complete"

enum { BA_MARKER_MOST = 4096 }; /* bytes of a marker */

struct ba_slot {
	ba_workspace *ws;
	char key[65];
	char name[BA_SLOT_NAME + 1];
	char *dir;
	char *marker;
	char *about; /* for people; or NULL */
	ba_lock lock;
	bool complete;
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

/* Move it to the trash; missing is fine. */
int ba_workspace_trash(ba_workspace *ws, const char *path, ba_error *err);
/* the key in a `.complete` file */
/* about may be NULL; caller frees it */
bool ba_workspace_read_marker(char key[65], char **about, const char *marker);

#endif
