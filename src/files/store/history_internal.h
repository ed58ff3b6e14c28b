/* Declarations shared by the files of the history. Inside the module only. */
#pragma once

#include <sqlite3.h>

#include "store/history.h"

struct ba_history {
	sqlite3 *db;
	char *path;
};

/* SQLite's result code as an error about the file */
int ba_history_fail(ba_history *h, int rc, ba_error *err);
int ba_history_exec(ba_history *h, const char *sql, ba_error *err);
