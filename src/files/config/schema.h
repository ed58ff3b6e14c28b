/* How objects of the configuration are read: one row for each key. Inside the module only. */
#pragma once

#include "config/config.h"
#include "json/json.h"

typedef struct ba_key_row ba_key_row;

/* reads v into the value that `field` points to */
typedef int ba_key_reader(void *field, ba_json_value v, const ba_key_row *row, ba_error *err);

/* Checks the text of v, an element of an array, against what the key accepts. */
typedef int ba_string_check(ba_json_value v, const char *text, ba_error *err);

struct ba_key_row {
	const char *name; /* NULL ends the table */
	ba_key_reader *read;
	size_t field;	   /* offset in the section's struct */
	uint64_t min, max; /* for numbers */
	/* the accepted words, if the key takes one; the list ends with NULL */
	const char *const *words;
	ba_string_check *check; /* for strings */
	const ba_key_row *rows; /* for a section */
	size_t origin;		/* offset of its ba_value_origin; 0: it has none */
};

void ba_numbers_set(ba_numbers *n, const uint64_t *items, size_t count); /* copies */

int ba_section_read(void *section, ba_json_value object, const ba_key_row *rows, ba_error *err);
/* Reads one of `words`, which end with NULL, as its index. */
int ba_read_word(int *out, ba_json_value v, const char *const *words, ba_error *err);
int ba_config_read(ba_config *c, ba_json_value root, ba_error *err);

/* an array of strings that `check` accepts; NULL: any */
int ba_strings_read(ba_strv *out, ba_json_value v, ba_string_check *check, ba_error *err);
ba_string_check ba_check_variable; /* the name of an environment variable */
ba_string_check ba_check_path;	   /* a path or glob inside the tree */
ba_string_check ba_check_place;	   /* an absolute path, or "~/..." */
ba_string_check ba_check_text;	   /* not empty */

/* readers for rows, one for each kind of value */
ba_key_reader ba_read_duration; /* int64_t ns: "10m", or seconds; above 0 */
ba_key_reader ba_read_u64;	/* uint64_t in min..max */
ba_key_reader ba_read_u64s;	/* ba_numbers, each in min..max */
ba_key_reader ba_read_set;	/* the same; fails if a number appears twice */
ba_key_reader ba_read_bool;
ba_key_reader ba_read_strings;	  /* ba_strv of strings that `check` accepts */
ba_key_reader ba_read_commands;	  /* ba_build_config: argv's */
ba_key_reader ba_read_command;	  /* ba_build_config: one argv */
ba_key_reader ba_read_argv;	  /* ba_strv: one argv */
ba_key_reader ba_read_text;	  /* char * that `check` accepts */
ba_key_reader ba_read_thresholds; /* ba_thresholds */
ba_key_reader ba_read_suites;	  /* ba_config: its suites */
ba_key_reader ba_read_nothing;	  /* ignores the value; for $schema */

extern const ba_key_row ba_threshold_rows[], ba_thresholds_rows[], ba_rule_rows[];
extern const ba_key_row ba_launcher_rows[], ba_worker_rows[], ba_command_rows[], ba_plugin_rows[];
extern const ba_key_row ba_task_rows[];
