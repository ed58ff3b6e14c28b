/* The rows of the reader, the JSON Schema and the page hold the same keys. */
#include "test.h"

#include "base/mem.h"
#include "base/base.h"
#include "config/config.h"
#include "json/json.h"

static const char *const sections[] = {"", "build", "suite", "worker", "plugin", "task",
	"thresholds", "threshold", "rule", "overlay", "gate", "sandbox", "code"};
enum { SECTIONS = sizeof(sections) / sizeof(*sections) };

static ba_json *schema(void)
{
	ba_json *doc = NULL;
	ba_error err = {0};
	if (ba_json_read(&doc, BA_SOURCE_DIR "/share/bench-against/config.schema.json", NULL, &err))
		fail_msg("%s", err.text);
	return doc;
}

static ba_json_value properties(const ba_json *doc, const char *section)
{
	ba_json_value v = ba_json_root(doc);
	if (*section)
		v = ba_json_find(ba_json_find(v, "$defs"), section);
	return ba_json_find(v, "properties");
}

TEST(the_schema_has_the_keys_of_the_reader_and_no_others)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = schema();
	for (size_t i = 0; i < SECTIONS; i++) {
		const char *const *keys = ba_config_keys(sections[i]);
		ba_json_value known = properties(doc, sections[i]);
		size_t count = 0;
		for (; keys[count]; count++)
			if (!ba_json_is(ba_json_find(known, keys[count])))
				fail_msg("'%s' of '%s' is not in the schema", keys[count],
					sections[i]);
		assert_int_equal(ba_json_count(known), count);
	}
	assert_null(ba_config_keys("nonsense"));
}

TEST(the_page_tells_every_key)
{
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	assert_false(ba_fs_read(&page, BA_SOURCE_DIR "/docs/configuration.md", 1 << 20, NULL));
	for (size_t i = 0; i < SECTIONS; i++) {
		for (const char *const *key = ba_config_keys(sections[i]); *key; key++) {
			BA_AUTO_FREE char *ticks = ba_xprintf("`%s`", *key);
			BA_AUTO_FREE char *quotes = ba_xprintf("\"%s\"", *key);
			if (!strstr(page.data, ticks) && !strstr(page.data, quotes))
				fail_msg("'%s' of '%s' is not in docs/configuration.md", *key,
					sections[i]);
		}
	}
}

/* what stands between the first "```jsonc" and its end must load */
TEST(the_example_of_the_page_loads)
{
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	BA_AUTO(ba_config) ba_config c;
	ba_error err = {0};
	assert_false(ba_fs_read(&page, BA_SOURCE_DIR "/docs/configuration.md", 1 << 20, NULL));
	const char *start = strstr(page.data, "```jsonc\n");
	assert_non_null(start);
	start += strlen("```jsonc\n");
	const char *end = strstr(start, "```");
	ba_config_init(&c);
	if (ba_config_load_text(&c, "page", start, (size_t)(end - start), &err))
		fail_msg("%s", err.text);
	assert_int_equal(c.build.command_count, 2);
	assert_close(
		ba_config_threshold(&c, "launch/args=0", BA_METRIC_SUBMIT).floor_ns, 10, 1e-12);
}
