-- The tables of the history, version 1 (BA_HISTORY_VERSION).
CREATE TABLE run (
  id INTEGER PRIMARY KEY, started TEXT NOT NULL, tool_version TEXT NOT NULL,
  repository TEXT NOT NULL, target TEXT NOT NULL, device TEXT NOT NULL,
  device_uuid TEXT NOT NULL, driver TEXT NOT NULL, host TEXT NOT NULL,
  suite_sha256 TEXT NOT NULL, engine TEXT NOT NULL, verdict TEXT NOT NULL,
  exit_status INTEGER NOT NULL);
CREATE TABLE variant (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id), position INTEGER NOT NULL,
  label TEXT NOT NULL, commit_id TEXT NOT NULL, tree_id TEXT NOT NULL,
  dirty INTEGER NOT NULL, describe TEXT NOT NULL, subject TEXT NOT NULL);
CREATE TABLE point (
  variant INTEGER NOT NULL REFERENCES variant(id), benchmark TEXT NOT NULL,
  metric TEXT NOT NULL, plan_sha256 TEXT NOT NULL, ns REAL NOT NULL, stdev_ns REAL,
  invocations INTEGER NOT NULL, ratio REAL, low REAL, high REAL, verdict TEXT);
CREATE INDEX variant_of_run ON variant(run);
CREATE INDEX variant_of_commit ON variant(commit_id);
CREATE INDEX point_of_variant ON point(variant);
CREATE INDEX point_of_series ON point(benchmark, metric, plan_sha256);
PRAGMA application_id = 1111582769; -- "BAh1"
PRAGMA user_version = 1;
