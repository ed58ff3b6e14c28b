/*
 * Reads a JSON file that may be larger than memory: one pass checks the whole file; then
 * parts of it can be read.
 *
 *     static const char *const lists[] = {"benchmarks", "series", NULL};
 *     BA_AUTO_PTR(ba_json_file) ba_json_file *f = NULL;
 *     BA_AUTO_PTR(ba_json) ba_json *head = NULL;
 *     rc = ba_json_file_open(&f, path, lists, &options, err);
 *     rc = rc ? rc : ba_json_file_head(&head, f, err);
 *     for (size_t i = 0; rc == 0 && i < ba_json_file_count(f, 1); i++) {
 *             BA_AUTO_PTR(ba_json) ba_json *one = NULL;
 *             rc = ba_json_file_element(&one, f, 1, i, err);
 *             rc = rc ? rc : take(ba_json_root(one), err);
 *     }
 *
 * The lists are members of the root. In memory are only the part that was asked for and
 * eight bytes for each element of the lists. Reading is as strict as in json.h, with
 * the same sentences. Lines and paths are those of the whole document: "r.json: line 4:
 * $.series[3].metric must be a string". The options are json.h's, except `comments`.
 * `ceiling` limits one part, or all of an input that is not a regular file: a pipe is
 * read whole.
 */
#pragma once

#include "json/digest.h"
#include "json/json.h"

typedef struct ba_json_file ba_json_file;

/* Checks the whole document: grammar, UTF-8, nesting and, if asked for, unique keys.
 * lists ends with NULL and has at most four names; lists and options->name must outlive
 * the file. */
int ba_json_file_open(ba_json_file **out, const char *path, const char *const *lists,
	const ba_json_options *options, ba_error *err);
/* the same for a text, which is copied */
int ba_json_file_parse(ba_json_file **out, const char *text, size_t size, const char *const *lists,
	const ba_json_options *options, ba_error *err);
BA_DECLARE_FREE(ba_json_file)

/* Is the document unchanged since it was written? Reads it once more. `said` is the
 * digest in the document, "" if there is none (json/digest.h); both have room for 65
 * bytes. */
int ba_json_file_digest(
	ba_digest_state *out, char found[65], char said[65], const ba_json_file *f, ba_error *err);

/* The root, with empty lists; call it once. Free all parts before the file. */
int ba_json_file_head(ba_json **out, ba_json_file *f, ba_error *err);
/* elements of a list; 0 if it is not there, or no array */
size_t ba_json_file_count(const ba_json_file *f, size_t list);
/* Element index < count as a document of its own; fast in ascending order. */
int ba_json_file_element(ba_json **out, ba_json_file *f, size_t list, size_t index, ba_error *err);
