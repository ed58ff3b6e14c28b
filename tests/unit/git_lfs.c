#include "test.h"

#include "git/attributes.h"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define VERSION "version https://git-lfs.github.com/spec/v1\n"

static bool parses(const char *text, ba_lfs_pointer *p)
{
	return ba_lfs_pointer_parse(p, text, strlen(text));
}

TEST(a_pointer_gives_its_hash_and_size)
{
	ba_lfs_pointer p;
	assert_true(parses(VERSION "oid sha256:" SHA "\nsize 12345\n", &p));
	assert_string_equal(p.sha256, SHA);
	assert_int_equal(p.size, 12345);
	assert_true(parses("version https://hawser.github.com/spec/v1\n"
			   "oid sha256:" SHA "\nsize 0\n",
		&p));
	assert_int_equal(p.size, 0);
}

TEST(what_is_not_quite_a_pointer_is_none)
{
	static const char *const texts[] = {
		"",
		"hello\n",
		VERSION,
		VERSION "oid sha256:" SHA "\n",
		VERSION "size 12\n",
		VERSION "oid sha256:" SHA "\nsize -1\n",
		VERSION "oid sha256:" SHA "\nsize 12x\n",
		VERSION "oid sha256:" SHA "0\nsize 12\n",
		VERSION "oid sha256:../../../../etc/passwd\nsize 12\n",
		VERSION "oid md5:" SHA "\nsize 12\n",
		VERSION "ext-0-x sha256:" SHA "\noid sha256:" SHA "\nsize 12\n",
		"version https://git-lfs.github.com/spec/v9\noid sha256:" SHA "\nsize 12\n",
	};
	ba_lfs_pointer p = {.size = 77};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(parses(texts[i], &p));
	assert_int_equal(p.size, 77);
	char large[2048];
	memset(large, '\n', sizeof(large));
	memcpy(large, VERSION, strlen(VERSION));
	assert_false(ba_lfs_pointer_parse(&p, large, sizeof(large)));
}

TEST(content_is_kept_by_the_first_digits_of_its_hash)
{
	ba_lfs_pointer p = {.sha256 = SHA};
	char *path = ba_lfs_object_path("/store", &p);
	assert_string_equal(path, "/store/objects/01/23/" SHA);
	free(path);
}
