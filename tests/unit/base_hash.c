/* SHA-256 against the values of FIPS 180-4 and of NIST's example files */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/base.h"
#include "../../src/launchcfg/sha256_compress.h"

TEST(known_texts_have_their_known_sums)
{
	static const struct {
		const char *text, *sum;
	} rows[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85"
		     "5"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223"
			"b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039"
			"a33ce45964ff2167f6ecedd419db06c1"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char sum[65];
		ba_sha256_of(sum, rows[i].text, strlen(rows[i].text));
		assert_string_equal(sum, rows[i].sum);
	}
}

/* Where the processor has instructions for it, they are used. */
TEST(the_processors_instructions_agree_with_the_portable_code)
{
	ba_sha256 s;
	unsigned char block[64];
	ba_sha256_init(&s);
	for (unsigned k = 0; k < 1000; k++) {
		uint32_t h[8];
		for (unsigned i = 0; i < 64; i++)
			block[i] = (unsigned char)((k * 64 + i) * 2654435761u >> 11);
		memcpy(h, s.h, sizeof(h));
		sha256_compress(h, block);
		ba_sha256_add(&s, block, 64);
		assert_memory_equal(s.h, h, sizeof(h));
	}
}

/* a million times 'a', in pieces that never end where a block does */
TEST(pieces_of_any_size_make_the_same_sum)
{
	char a[1009], sum[65];
	memset(a, 'a', sizeof(a));
	static const size_t sizes[] = {1, 63, 64, 65, 1009};
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		ba_sha256 s;
		ba_sha256_init(&s);
		for (size_t left = 1000000; left;) {
			size_t n = left < sizes[k] ? left : sizes[k];
			ba_sha256_add(&s, a, n);
			left -= n;
		}
		ba_sha256_hex(&s, sum);
		assert_string_equal(sum, "cdc76e5c9914fb9281a1c7e284d73e67"
					 "f1809a48a497200e046d39ccc7112cd0");
	}
}

TEST(texts_with_their_end_are_told_apart)
{
	ba_sha256 one, two;
	char sum_one[65], sum_two[65];
	ba_sha256_init(&one);
	ba_sha256_add_string(&one, "ab");
	ba_sha256_add_string(&one, "c");
	ba_sha256_hex(&one, sum_one);
	ba_sha256_init(&two);
	ba_sha256_add_string(&two, "a");
	ba_sha256_add_string(&two, "bc");
	ba_sha256_hex(&two, sum_two);
	assert_string_not_equal(sum_one, sum_two);
}

static void on_alarm(int number)
{
	(void)number;
}

TEST(a_signal_does_not_spoil_a_file_and_a_pipe_is_none)
{
	char dir[] = "/tmp/ba-hash-XXXXXX", path[64], sum[65] = "", expected[65];
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	enum { SIZE = 8 << 20 };
	BA_AUTO_FREE char *data = ba_xcalloc(1, SIZE);
	ba_error err = {0};
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/file", dir);
	assert_int_equal(ba_fs_write(path, data, SIZE, 0600, &err), 0);
	ba_sha256_of(expected, data, SIZE);
	assert_false(sigaction(SIGALRM, &action, NULL));
	assert_false(setitimer(ITIMER_REAL, &often, NULL));
	int rc = ba_sha256_file(sum, path, &err);
	assert_false(setitimer(ITIMER_REAL, &never, NULL));
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_string_equal(sum, expected);
	/* with nobody who writes into it */
	unlink(path);
	assert_false(mkfifo(path, 0600));
	assert_int_equal(ba_sha256_file(sum, path, &err), BA_EIO);
	assert_has(err.text, "is a pipe or a device, not a file");
	ba_fs_remove_tree(dir, NULL);
}
