/* Any CSV, with "name=kernel,value=ms,unit=ms,group=n". Rows of one name are one benchmark's. */

#include "import/table.h"

typedef struct columns {
	ba_strv names, groups;
	const char *value, *unit; /* columns of `words`; unit may be NULL */
	ba_level level;
	ba_strv words;
} columns;

BA_OWNS_HERE(columns, k, BA_DISPOSE(ba_strv, &k->names, &k->groups, &k->words))

/* "value=ms" */
static int take_word(columns *k, char *word, ba_error *err)
{
	char *equals = strchr(word, '=');
	if (!equals || !equals[1])
		return ba_fail(err, BA_EINVAL, "--csv-columns: '%.100s' is not KEY=COLUMN", word);
	*equals = '\0';
	if (strcmp(word, "name") == 0)
		ba_strv_push(&k->names, equals + 1);
	else if (strcmp(word, "group") == 0)
		ba_strv_push(&k->groups, equals + 1);
	else if (strcmp(word, "value") == 0 && !k->value)
		k->value = equals + 1;
	else if (strcmp(word, "unit") == 0 && !k->unit)
		k->unit = equals + 1;
	else if (strcmp(word, "level") != 0)
		return ba_fail(err, BA_EINVAL,
			"--csv-columns: '%.100s' is unknown or appears twice; the keys are name, value, unit, group and level",
			word);
	else if (!ba_level_parse(&k->level, equals + 1))
		return ba_fail(err, BA_EINVAL,
			"--csv-columns: the level is process, repetition, batch or summary, not '%.100s'",
			equals + 1);
	return 0;
}

static int parse(columns *k, const char *text, ba_error *err)
{
	k->level = BA_LEVEL_REPETITION;
	ba_strv_split(&k->words, text, ',');
	for (size_t i = 0; i < k->words.count; i++)
		BA_TRY(take_word(k, k->words.items[i], err));
	if (!k->value || k->names.count == 0)
		return ba_fail(err, BA_EINVAL,
			"--csv-columns needs the columns of the name and the value: name=COLUMN,value=COLUMN");
	return 0;
}

int ba_import_check_columns(const char *text, ba_error *err)
{
	BA_AUTO(columns) columns k = {0};
	return parse(&k, text, err);
}

static bool is_header(const ba_csv *c, const void *data)
{
	const columns *k = data;
	return ba_csv_column(c, k->value) < c->count && ba_csv_has_all(c, k->names.items) &&
	       ba_csv_has_all(c, k->groups.items);
}

static int find_header(ba_csv *c, const columns *k, const ba_source *s, ba_error *err)
{
	bool found = false;
	int rc = ba_csv_open(c, s, err);
	rc = rc ? rc : ba_csv_find_header(&found, c, is_header, k, err);
	if (rc == 0 && !found)
		rc = ba_fail(err, BA_EDATA,
			"%s: no line has the columns of --csv-columns: '%s', '%s'", s->name,
			k->names.items[0], k->value);
	return rc;
}

/* Appends the cells of the columns, each after `between`; groups with their name. */
static void put_cells(
	ba_buf *id, const ba_csv *c, const ba_strv *names, const char *between, bool group)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i];
		ba_buf_puts(id, id->len ? between : "");
		if (group)
			ba_buf_printf(id, "%s=", name);
		ba_buf_puts(id, ba_csv_cell(c, ba_csv_column(c, name)));
		between = group ? "," : between;
	}
}

/* The unit is a column, a constant, or after the value's name. A column "us" holds no units. */
static void put_unit(ba_buf *out, const columns *k, const ba_csv *c)
{
	bool other = k->unit && strcmp(k->unit, k->value) != 0;
	size_t column = other ? ba_csv_column(c, k->unit) : c->header.count;
	ba_table_unit(out, k->unit ? "" : k->value);
	if (k->unit)
		ba_buf_puts(out, column < c->header.count ? ba_csv_cell(c, column) : k->unit);
}

static int emit(const ba_source *s, const columns *k, const ba_csv *c, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT, unit = BA_BUF_INIT;
	const char *cell = ba_csv_cell(c, ba_csv_column(c, k->value));
	put_unit(&unit, k, c);
	double own, value = ba_table_measure(&own, cell);
	double ns = own > 0 ? own : ba_unit_ns(unit.data);
	value *= ns > 0 ? ns : 1;
	BA_AUTO_FREE char *wrong = ba_xprintf("'%.60s' is not a number", cell);
	put_cells(&id, c, &k->names, "/", false);
	if (!id.len)
		return ba_csv_fail(err, c, "a row without '%s'", k->names.items[0]);
	put_cells(&id, c, &k->groups, "/", true);
	if (value < 0)
		return ba_csv_fail(
			err, c, "'%s' is negative, which a measured value cannot be", cell);
	const char *metric = ns > 0 ? "time" : k->value;
	const ba_record record = {.id = id.data,
		.metric = metric,
		.is_time = ns > 0,
		.higher_is_better = ba_unit_is_rate(unit.data) || ba_unit_is_rate(k->value),
		.level = k->level,
		BA_ONE_VALUE(&value),
		.failure = !*cell	  ? "the file has no value for it"
			   : isnan(value) ? wrong
					  : NULL};
	return ba_source_wants(s, metric, true) ? ba_source_record(s, &record, err) : 0;
}

int ba_read_columns(const ba_source *s, ba_error *err)
{
	BA_AUTO(columns) columns k = {0};
	BA_AUTO(ba_csv) ba_csv c = {.text = BA_BUF_INIT};
	int rc = parse(&k, s->sink->csv_columns, err);
	rc = rc ? rc : find_header(&c, &k, s, err);
	while (rc == 0 && (rc = ba_csv_next_record(&c, err)) > 0)
		rc = emit(s, &k, &c, err);
	return rc;
}
