/* The parts that need no world: hash, tables, names, bytes of an entry. */
#include "test.h"

#include "cache.h"
#include "dispatcher.h"
#include "table.h"

static void assert_sha(const char *text, size_t repeat, const char *wanted)
{
	lcfg_sha256 s;
	char hex[65];
	lcfg_sha256_init(&s);
	for (size_t i = 0; i < repeat; i++)
		lcfg_sha256_put(&s, text, strlen(text));
	lcfg_digest digest = lcfg_sha256_end(&s);
	lcfg_digest_hex(hex, &digest);
	assert_string_equal(hex, wanted);
}

TEST(sha256_gives_the_standards_examples)
{
	assert_sha("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_sha("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	assert_sha(
		"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(fields_do_not_run_into_each_other)
{
	static const char *const pairs[][2] = {
		{"ab", "c"}, {"a", "bc"}, {"", "abc"}, {"abc", ""}, {"abc", NULL}, {NULL, "abc"}};
	lcfg_digest seen[6];
	for (size_t i = 0; i < 6; i++) {
		lcfg_sha256 s;
		lcfg_sha256_init(&s);
		lcfg_sha256_text(&s, pairs[i][0]);
		lcfg_sha256_text(&s, pairs[i][1]);
		seen[i] = lcfg_sha256_end(&s);
		for (size_t j = 0; j < i; j++)
			assert_memory_not_equal(&seen[i], &seen[j], sizeof(seen[0]));
	}
}

typedef struct thing {
	lcfg_item item;
	uint32_t number;
} thing;

static bool thing_is(const lcfg_item *item, const void *wanted)
{
	return ((const thing *)item)->number == *(const uint32_t *)wanted;
}

TEST(a_table_finds_what_was_put_in_whatever_the_hashes)
{
	enum { COUNT = 3000 };
	thing *things = calloc(COUNT, sizeof(*things));
	/* all different, all equal, and all in one half of the table */
	for (int kind = 0; kind < 3; kind++) {
		lcfg_table table = {.count = 0};
		uint32_t count = kind == 1 ? 200 : COUNT;
		for (uint32_t i = 0; i < count; i++) {
			things[i].number = i;
			things[i].item.hash = kind == 0	  ? lcfg_hash_words(&i, 1)
					      : kind == 1 ? 42
							  : (uint64_t)i << 32;
			assert_int_equal(lcfg_table_add(&table, &things[i].item), 0);
			if (kind == 2 && i == 200)
				count = 201;
		}
		for (uint32_t i = 0; i < count; i++)
			assert_ptr_equal(lcfg_table_find(&table, things[i].item.hash, thing_is, &i),
				&things[i]);
		uint32_t absent = COUNT;
		assert_null(lcfg_table_find(&table, things[0].item.hash, thing_is, &absent));
		lcfg_table_clear(&table);
		assert_null(
			lcfg_table_find(&table, things[0].item.hash, thing_is, &things[0].number));
		lcfg_table_dispose(&table);
	}
	free(things);
}

TEST(types_have_the_names_and_sizes_of_c)
{
	static const struct {
		lcfg_type type;
		const char *name;
		size_t size;
	} rows[] = {
		{LCFG_I8, "signed char", 1},
		{LCFG_U16, "unsigned short", 2},
		{LCFG_I32, "int", 4},
		{LCFG_U64, "unsigned long long", 8},
		{LCFG_F32, "float", 4},
		{LCFG_F64, "double", 8},
		{LCFG_PTR, "void *", 8},
		{LCFG_PTR_F32, "float *", 8},
		{LCFG_POINTER_TO(LCFG_U8), "unsigned char *", 8},
		{LCFG_BYTES(12), "bytes<12>", 12},
	};
	char name[64];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(
			lcfg_type_name(name, sizeof(name), rows[i].type), strlen(rows[i].name));
		assert_string_equal(name, rows[i].name);
		assert_int_equal(lcfg_type_size(rows[i].type), rows[i].size);
	}
}

TEST(signatures_are_cut_off_like_snprintf_does)
{
	const lcfg_type types[] = {LCFG_PTR_F32, LCFG_I32};
	const lcfg_signature sig = {types, 2};
	char text[32];
	assert_int_equal(lcfg_signature_name(text, sizeof(text), sig), 14);
	assert_string_equal(text, "(float *, int)");
	assert_int_equal(lcfg_signature_name(text, 5, sig), 14);
	assert_string_equal(text, "(flo");
	assert_int_equal(lcfg_signature_name(NULL, 0, sig), 14);
	lcfg_signature_name(text, sizeof(text), (lcfg_signature){NULL, 0});
	assert_string_equal(text, "()");
}

TEST(holes_in_names_are_filled_and_other_braces_left)
{
	static const char *const rows[][2] = {
		{"k", "k"},
		{"k<{*0}, {1}>", "k<float, int>"},
		{"k<{0}>", "k<float *>"},
		{"k<int{3}>{", "k<int{3}>{"},
		{"{}{x}{*}", "{}{x}{*}"},
	};
	const lcfg_type types[] = {LCFG_PTR_F32, LCFG_I32};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lcfg_error err = {0};
		char *name = NULL;
		int rc = lcfg_name_expand(&name, rows[i][0], (lcfg_signature){types, 2}, &err);
		if (i == 3) {
			/* a hole by its looks, out of range */
			assert_int_equal(rc, LCFG_ESIGNATURE);
			continue;
		}
		assert_int_equal(rc, 0);
		assert_string_equal(name, rows[i][1]);
		free(name);
	}
}

static lcfg_digest key_of(const char *text)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, text);
	return lcfg_sha256_end(&s);
}

TEST(an_entry_survives_the_way_to_bytes_and_back)
{
	char image[] = "image\0with a zero";
	char entry[] = "_Z1kPf";
	lcfg_binary in = {image, sizeof(image), entry, 1};
	lcfg_binary out = {0};
	lcfg_digest key = key_of("a");
	lcfg_digest other = key_of("b");
	size_t size = 0;
	void *data = lcfg_entry_encode(&size, &key, &in);
	assert_int_equal(lcfg_entry_decode(&out, &other, data, size), -1);
	assert_int_equal(lcfg_entry_decode(&out, &key, data, size), 0);
	assert_int_equal(out.size, in.size);
	assert_memory_equal(out.image, in.image, in.size);
	assert_string_equal(out.entry, entry);
	assert_true(out.sensitive);
	lcfg_binary_dispose(&out);
	free(data);
}

TEST(a_damaged_entry_is_no_entry_wherever_the_damage)
{
	char image[] = "image";
	char entry[] = "k";
	lcfg_binary in = {image, sizeof(image), entry, 0};
	lcfg_binary out = {0};
	lcfg_digest key = key_of("a");
	size_t size = 0;
	unsigned char *data = lcfg_entry_encode(&size, &key, &in);
	for (size_t i = 0; i < size; i++) {
		/* a copy of exactly this size: reading beyond it is seen */
		unsigned char *part = malloc(i + 1);
		memcpy(part, data, i);
		assert_int_equal(lcfg_entry_decode(&out, &key, part, i), -1);
		free(part);
		for (int bit = 0; bit < 8; bit++) {
			data[i] ^= (unsigned char)(1 << bit);
			assert_int_equal(lcfg_entry_decode(&out, &key, data, size), -1);
			data[i] ^= (unsigned char)(1 << bit);
		}
	}
	assert_int_equal(lcfg_entry_decode(&out, &key, data, size), 0);
	lcfg_binary_dispose(&out);
	free(data);
}

TEST(every_error_has_a_name)
{
	assert_string_equal(lcfg_error_name(0), "ok");
	assert_string_equal(lcfg_error_name(LCFG_ENOCONFIG), "no-config");
	assert_string_equal(lcfg_error_name(LCFG_ECACHE), "cache");
	assert_string_equal(lcfg_error_name(42), "user");
	assert_string_equal(lcfg_error_name(-1000), "user");
}
