/* pytest-benchmark: --benchmark-json, --benchmark-save, --benchmark-autosave; samples are in
 * --benchmark-json and --benchmark-save-data only. CodSpeed's results of a walltime run
 * (.codspeed/results_*.json), too: statistics of the rounds of one process. */
#include "import/source.h"

typedef struct entry {
	const ba_source *s;
	ba_buf fullname, name;
	ba_values data;
	ba_statistics of;
} entry;

static int emit(void *data, ba_pull *p, ba_error *err)
{
	const entry *e = data;
	const ba_record record = {
		.id = e->fullname.len ? e->fullname.data : e->name.data, .level = BA_LEVEL_BATCH};
	if (!*record.id)
		return ba_pull_fail(err, p, "a benchmark without a name");
	return ba_source_time(e->s, &record, &e->data, &e->of, err);
}

int ba_read_pytest(const ba_source *s, ba_error *err)
{
	static const ba_member cpu[] = {
		BA_SAID("brand_raw", "cpu", true), BA_SAID("brand", "cpu", true), {0}};
	static const ba_member machine[] = {BA_SAID_ALL("cpu", cpu), BA_SAID("node", "host", false),
		BA_SAID("machine", "architecture", true),
		BA_SAID("python_version", "python", false),
		BA_SAID("python_implementation", "python implementation", true), {0}};
	static const ba_member stats[] = {BA_VALUES("data", entry, data, 1e9),
		BA_STATISTICS(entry, of, "mean", "median", "min", "max", 1e9), {0}};
	static const ba_member members[] = {BA_TEXT("fullname", entry, fullname),
		BA_TEXT("name", entry, name), BA_OBJECT("stats", stats), {0}};
	static const ba_member document[] = {
		BA_SAID_ALL("machine_info", machine), BA_RECORDS("benchmarks", members, emit), {0}};
	entry e = {.s = s};
	return ba_document_pull(&e, document, err);
}

int ba_read_codspeed(const ba_source *s, ba_error *err)
{
	static const ba_member stats[] = {
		BA_STATISTICS(entry, of, "mean_ns", "median_ns", "min_ns", "max_ns", 1), {0}};
	static const ba_member members[] = {BA_TEXT("uri", entry, fullname),
		BA_TEXT("name", entry, name), BA_OBJECT("stats", stats), {0}};
	static const ba_member instrument[] = {BA_SAID("type", "instrument", true), {0}};
	static const ba_member document[] = {
		BA_OBJECT("instrument", instrument), BA_RECORDS("benchmarks", members, emit), {0}};
	entry e = {.s = s};
	return ba_document_pull(&e, document, err);
}
