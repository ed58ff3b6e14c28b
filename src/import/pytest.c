/* pytest-benchmark: --benchmark-json, --benchmark-save, --benchmark-autosave. Samples
 * are in the file with --benchmark-json or --benchmark-save-data only. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "import/source.h"

typedef struct entry {
	ba_buf fullname, name;
	ba_values data;
	double mean;
} entry;

static void entry_dispose(entry *e)
{
	ba_buf_dispose(&e->fullname);
	ba_buf_dispose(&e->name);
	ba_values_dispose(&e->data);
}
BA_DEFINE_AUTO(entry, entry_dispose)

static int machine_fields(const ba_source *s, ba_pull *p, ba_error *err)
{
	static const ba_field_row cpu[] = {{"brand_raw", "cpu", true}, {"brand", "cpu", true}};
	static const ba_field_row known[] = {{"node", "host", false},
		{"machine", "architecture", true}, {"python_version", "python", false},
		{"python_implementation", "python implementation", true}};
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		size_t i = 0, n = BA_COUNT(known);
		while (i < n && strcmp(key, known[i].key) != 0)
			i++;
		rc = strcmp(key, "cpu") == 0 ? ba_fields_pull(s, p, BA_ROWS(cpu), err)
		     : i == n		     ? ba_pull_skip(p, err)
					     : ba_text_pull(&value, p, err);
		if (rc == 0 && i < n)
			ba_source_field(s, known[i].name, value.data, known[i].must_match);
	}
	return rc;
}

static int read_stats(entry *e, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "data") == 0 && ba_pull_peek(p) == BA_JSON_ARRAY
			     ? ba_values_pull(&e->data, p, 1e9, err)
		     : strcmp(key, "mean") == 0 ? ba_time_pull(&e->mean, p, err)
						: ba_pull_skip(p, err);
	return rc;
}

static int read_entry(entry *e, const ba_source *s, ba_pull *p, ba_error *err)
{
	const char *key;
	e->data.count = 0;
	e->mean = NAN;
	ba_buf_clear(&e->name);
	ba_buf_clear(&e->fullname);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "fullname") == 0 ? ba_text_pull(&e->fullname, p, err)
		     : strcmp(key, "name") == 0	  ? ba_text_pull(&e->name, p, err)
		     : strcmp(key, "stats") == 0  ? read_stats(e, p, err)
						  : ba_pull_skip(p, err);
	if (rc)
		return rc;
	if (!e->fullname.len && !e->name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	double mean = e->mean * 1e9;
	ba_record record = {
		.id = e->fullname.len ? e->fullname.data : e->name.data,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = e->data.count ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
		.values = e->data.count ? e->data.at : &mean,
		.count = e->data.count ? e->data.count : 1,
	};
	return ba_source_wants(s, "time", true) ? ba_source_record(s, &record, err) : 0;
}

static int read_entries(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(entry) entry e = {.fullname = BA_BUF_INIT, .name = BA_BUF_INIT};
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_entry(&e, s, p, err);
	return rc;
}

int ba_read_pytest(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "machine_info") == 0 ? machine_fields(s, p, err)
		     : strcmp(key, "benchmarks") == 0 ? read_entries(s, p, err)
						      : ba_pull_skip(p, err);
	return rc ? rc : ba_pull_end(p, err);
}
