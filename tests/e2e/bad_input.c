/* What users, disks and repositories come up with: the status, and a sentence that
 * helps. */
#include "e2e.h"

#include <errno.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

typedef struct mistake {
	int status;
	const char *sentence;
	const char *words[4];
} mistake;

static void check_mistakes(e2e *t, const mistake *m, size_t count)
{
	for (size_t i = 0; i < count; i++, m++) {
		e2e_against(t, m->words[0], m->words[1], m->words[2], m->words[3]);
		assert_status(t, m->status);
		assert_has(t->err, m->sentence);
		assert_int_equal(strncmp(t->err, "bench-against: ", 15), 0);
		/* no answer where there is none, and no trickery on the terminal */
		assert_string_equal(t->out, "");
		assert_null(strchr(t->err, '\033'));
		assert_false(ba_fs_exists(t->json));
	}
}
#define CHECK(t, table) check_mistakes((t), (table), sizeof(table) / sizeof((table)[0]))

TEST(variants_that_do_not_exist)
{
	static const mistake table[] = {
		{129, "no such ref 'v9'", {"v9", "new"}},
		{129, "candidate: no such ref 'v9'", {"old", "v9"}},
		{129, "baseline: no such ref 'v9'", {"v9", "old"}},
		{129, "did you mean 'old'", {"odl", "new"}},
		{129, "no directory '/no/such/dir'", {"old", "path:/no/such/dir"}},
		{129, "is not a directory", {"old", "path:.gitignore"}},
		{129, "cannot be compared", {"old"}},
		{129, "did you mean 'bench-against doctor'?", {"docter"}},
		{129, "did you mean 'bench-against compare'?", {"comapre", "new"}},
		{129, "did you mean 'bench-against report'?", {"reprot", "x.json"}},
		{129, "no such ref 'v9'", {"old", "v9", "comapre"}},
		{129, "'old..new' is a range", {"old..new"}},
		{129, "label before '='", {"=old", "new"}},
		{129, "two variants have the label 'x'", {"x=old", "x=new"}},
		{129, "a label may hold letters", {"../x=old", "new"}},
		{129, "a label may hold letters", {"\033[2Jx=old", "new"}},
		{129, "no such ref", {"old", "new\033[31m\a"}},
		{129, "no such ref", {"old", "new; rm -rf /"}},
		{129, "ambiguous", {"old", "same"}},
	};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	git(t.repo, "branch", "same", "old");
	git(t.repo, "tag", "same", "new");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	CHECK(&t, table);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	e2e_end(&t);
}

TEST(options_that_make_no_sense)
{
	static const mistake table[] = {
		{129, "--loops", {"--loops", "0"}},
		{129, "args: 1 appears twice", {"--args=1,1", "old", "new"}},
		{129, "--axis is for suites of the kinds", {"--axis=args=1", "old", "new"}},
		{129, "--loops", {"--loops", "1000,ten"}},
		{129, "did you mean '--threshold'", {"--treshold", "2%"}},
		{129, "--threshold", {"--threshold", "-1%"}},
		{129, "--threshold", {"--threshold", "slow"}},
		{129, "--alpha", {"--alpha", "0.9"}},
		{129, "--fixed", {"--min-invocations", "4"}},
		{129, "leave out one of them", {"--budget", "9s"}},
		{129, "write 2% for per cent", {"--threshold", "2"}},
		{129, "no such processor", {"--cpu", "8191"}},
		{129, "--in-place needs a path:DIR", {"--in-place"}},
		{129, "--quiet and --verbose", {"-q", "-v"}},
		{129, "--fake-driver is itself a target", {"--target", "gpu"}},
		{129, "--fake-driver is itself a target", {"--target", "host"}},
		{129, "--config", {"--config", "x.json", "--config-from", "old"}},
		{129, "--no-build and --in-place", {"--no-build", "--in-place"}},
		{129, "no metric 'speed'", {"--metrics", "speed"}},
		{129, "no suite 'lunch'", {"--suite", "lunch"}},
		{129, "--desk '.gitignore' is a file: name a directory",
			{"--on", "slurm: --array=2", "--desk", ".gitignore"}},
		{129, "--output", {"--output", "/no/such/dir/x.json"}},
		{129, "--report: its file '.ignored/index.html' is a directory",
			{"--report", ".ignored"}},
		{129, "is a directory", {"--output", "/"}},
		{129, "--format json", {"--output", "-"}},
		{129, "names no file", {"--output", ""}},
		{129, "--device", {"--device", "minus one"}},
		{129, "x.json", {"--config", "x.json"}},
		{129, "--repeats", {"--repeats", "0"}},
		{129, "--args", {"--args", "99999"}},
		{129, "--bytes", {"--bytes", "0"}},
		{129, "'roundtrip' is not among the --metrics", {"--verdict-on", "roundtrip"}},
	};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	BA_AUTO_FREE char *in_the_way = at("%s/.ignored/index.html", t.repo);
	assert_int_equal(ba_fs_mkdirs(in_the_way, NULL), 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const mistake *m = &table[i];
		e2e_against(&t, "old", "new", m->words[0], m->words[1], m->words[2], m->words[3]);
		assert_status(&t, m->status);
		assert_has(t.err, m->sentence);
		assert_string_equal(t.out, "");
	}
	/* its options are not those of a run */
	e2e_tool(&t, "reprot", "x.json", "--junit", "x.xml");
	assert_status(&t, 129);
	assert_has(t.err, "did you mean 'bench-against report'?");
	/* a revision goes first, whatever its name */
	git(t.repo, "branch", "comapre", "old");
	e2e_against(&t, "comapre", "new");
	assert_status(&t, 1);
	e2e_tool(&t, "doctor", "now");
	assert_status(&t, 129);
	e2e_end(&t);
}

/* The same for each command that reads one. */
TEST(result_files_that_cannot_be_read)
{
	static const char *const commands[] = {
		"report", "verify", "plot", "explain", "replay", "decide", "convert"};
	static const struct {
		const char *path, *sentence;
	} wrong[] = {{".", "directory"}, {"missing.json", "No such file"},
		{".gitignore/x", "Not a directory"}};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	BA_AUTO_FREE char *good = at("%s/good.json", t.dir);
	assert_int_equal(rename(t.json, good), 0);
	for (size_t w = 0; w < BA_COUNT(wrong); w++) {
		for (size_t i = 0; i < BA_COUNT(commands); i++) {
			e2e_tool(&t, commands[i], wrong[w].path);
			assert_status(&t, 129);
			assert_has(t.err, wrong[w].sentence);
		}
		e2e_tool(&t, "merge", good, wrong[w].path);
		assert_status(&t, 129);
		assert_has(t.err, wrong[w].sentence);
		e2e_tool(&t, "compare", wrong[w].path, wrong[w].path);
		assert_status(&t, 129);
		assert_has(t.err, wrong[w].sentence);
		e2e_tool(&t, "--resume", wrong[w].path);
		assert_status(&t, 129);
		assert_has(t.err, wrong[w].sentence);
	}
	e2e_end(&t);
}

static void check_configuration(
	const char *text, int status, const char *sentence, const char *other)
{
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json", text);
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, status);
	assert_has(t.err, ".bench-against.json");
	assert_has(t.err, sentence);
	assert_has(t.err, other);
	e2e_end(&t);
}

TEST(configurations_with_mistakes)
{
	check_configuration("{\n  \"build\": {\n    \"comands\": []\n  }\n}\n", 129, "line 3",
		"did you mean 'commands'");
	check_configuration("{\n  \"suites\": {,\n}\n", 129, "line 2", "column");
	check_configuration("{}\n", 129, "no suite", "suites");
	check_configuration("", 129, "", "");
	check_configuration("{ \"suites\": { \"a\": { \"kind\": \"launcher\", "
			    "\"library\": \"../../etc/passwd\" } } }\n",
		129, "library", "");
	check_configuration("{ \"suites\": { \"a\": { \"kind\": \"worker\" } } }\n", 129, "",
		"has no 'command'");
	check_configuration("{ \"suites\": { \"a\": { \"kind\": \"plugin\" } } }\n", 129, "",
		"has no 'library'");
	check_configuration("{ \"suites\": { \"a\": { \"kind\": \"launcher\", "
			    "\"library\": \"a.so\", \"loops\": [0] } } }\n",
		129, "loops", "");
}

TEST(no_configuration_at_all)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *path = at("%s/.bench-against.json", t.repo);
	assert_int_equal(unlink(path), 0);
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "no '.bench-against.json' here");
	e2e_end(&t);
}

TEST(a_tree_without_the_library_is_named)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	git(t.repo, "rm", "-q", "variant.so");
	commit_all(t.repo, "without");
	git(t.repo, "tag", "without");
	e2e_against(&t, "old", "without");
	assert_status(&t, 125);
	assert_has(t.err, "'without'");
	assert_has(t.err, "variant.so");
	e2e_end(&t);
}

TEST(places_that_are_no_repository)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *plain = at("%s/plain", t.dir);
	assert_int_equal(ba_fs_mkdirs(plain, NULL), 0);
	e2e_env("GIT_CEILING_DIRECTORIES", t.dir);
	e2e_against(&t, "-C", plain, "HEAD~", "HEAD");
	assert_status(&t, 129);
	assert_has(t.err, "is not in a git repository");
	e2e_against(&t, "-C", "/no/such/dir", "HEAD~", "HEAD");
	assert_status(&t, 129);
	assert_has(t.err, "/no/such/dir");
	/* every relative name is meant from there */
	e2e_against(
		&t, "-C", plain, "--config", "here.json", "-o", "here.json", "path:x", "path:y");
	assert_has(t.err, "no directory 'x'");
	BA_AUTO_FREE char *made = at("%s/x", plain);
	assert_int_equal(ba_fs_mkdirs(made, NULL), 0);
	put(plain, "here.json", "{ \"suites\": 1 }\n");
	e2e_against(&t, "-C", plain, "--config", "here.json", "path:x", "two=path:x");
	assert_status(&t, 129);
	assert_has(t.err, "here.json: line 1");
	/* without a commit */
	e2e_against(&t, "HEAD~", "HEAD");
	assert_status(&t, 129);
	BA_AUTO_FREE char *sha256 = at("%s/sha256", t.dir);
	assert_int_equal(ba_fs_mkdirs(sha256, NULL), 0);
	git(sha256, "init", "-q", "--object-format=sha256");
	e2e_against(&t, "-C", sha256, "HEAD~", "HEAD");
	assert_status(&t, 129);
	assert_has(t.err, "SHA-256");
	e2e_end(&t);
}

TEST(a_repository_of_somebody_else)
{
	if (geteuid() != 0) {
		print_message("needs root, to give a repository away\n");
		skip();
	}
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	const char *const give[] = {"chown", "-R", "65534:65534", t.repo, NULL};
	assert_int_equal(run_program(NULL, "/", give, NULL, 0), 0);
	e2e_against(&t, "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "belongs to another user");
	assert_has(t.err, "git config --global --add safe.directory");
	const char *const take[] = {"chown", "-R", "0:0", t.repo, NULL};
	assert_int_equal(run_program(NULL, "/", take, NULL, 0), 0);
	e2e_end(&t);
}

TEST(a_cache_that_cannot_be_made)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	put(t.dir, "file", "in the way\n");
	BA_AUTO_FREE char *blocked = at("%s/file", t.dir);
	BA_AUTO_FREE char *below = at("%s/file/cache", t.dir);
	const char *const places[] = {blocked, below};
	for (size_t i = 0; i < 2; i++) {
		e2e_against(&t, "--cache-dir", places[i], "old", "new");
		assert_status(&t, 125);
		assert_has(t.err, places[i]);
		assert_has(t.err, "BENCH_AGAINST_CACHE");
	}
	e2e_end(&t);
}

/* A disk of 256 KiB, or the test is skipped; unmounted by the caller. */
static char *small_disk(const e2e *t)
{
	char *dir = at("%s/disk", t->dir);
	assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
	if (mount("none", dir, "tmpfs", MS_NOSUID, "size=256k") == 0)
		return dir;
	print_message("no small disk can be mounted: %s\n", strerror(errno));
	free(dir);
	return NULL;
}

TEST(a_full_disk)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *disk = small_disk(&t);
	if (!disk) {
		e2e_end(&t);
		skip();
	}
	BA_AUTO_FREE char *big = ba_xcalloc(1, 300000);
	put_bytes(t.repo, "big", big, 300000);
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	/* where the trees are written */
	e2e_against(&t, "--cache-dir", disk, "old", "new");
	int status = t.status;
	const char *said = strstr(t.err, "No space left on device");
	bool named = strstr(t.err, disk) != NULL;
	/* where the results are */
	BA_AUTO_FREE char *filler = at("%s/filler", disk);
	const char *const fill[] = {
		"sh", "-c", "cat /dev/zero >\"$0\" 2>/dev/null; true", filler, NULL};
	assert_int_equal(run_program(NULL, "/", fill, NULL, 0), 0);
	BA_AUTO_FREE char *json = at("%s/results.json", disk);
	e2e second = t;
	second.out = second.err = NULL;
	e2e_against(&second, "--output", json, "old", "new");
	int second_status = second.status;
	bool second_said =
		strstr(second.err, "No space left on device") && strstr(second.err, json);
	bool half = ba_fs_exists(json);
	assert_int_equal(umount2(disk, MNT_DETACH), 0);
	assert_int_equal(status, 125);
	assert_non_null(said);
	assert_true(named);
	/* the verdict was "regressed", and is not lost for a file */
	assert_true(second_status == 1 || second_status == 125);
	assert_true(second_said);
	assert_false(half);
	free(t.err);
	free(t.out);
	t.out = second.out;
	t.err = second.err;
	e2e_end(&t);
}

/* The tool in a shell: with redirections. */
static int shell(const e2e *t, char **output, const char *script)
{
	BA_AUTO_FREE char *text =
		at("BENCH_AGAINST_CACHE='%s' BA_FAKE_CUDA='launch_ns=0;clock_ns=0'; "
		   "export "
		   "BENCH_AGAINST_CACHE BA_FAKE_CUDA; tool() { " BA_BINARY_DIR
		   "/bin/bench-against --fake-driver " BA_BINARY_DIR
		   "/tests/fakecuda/lib/libcuda.so.1 --metrics submit --fixed 4 "
		   "--blocks 8 \"$@\"; }; %s",
			t->cache, script);
	const char *const argv[] = {"bash", "-c", text, NULL};
	return run_program(output, t->repo, argv, NULL, 0);
}

TEST(an_answer_that_cannot_be_written_is_no_success)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost100_only_direct");
	char *output = NULL;
	assert_int_equal(shell(&t, &output, "tool old new >/dev/full"), 125);
	assert_has(output, "standard output: No space left on device");
	free(output);
	assert_int_equal(shell(&t, &output, "tool --help >/dev/full"), 125);
	free(output);
	assert_int_equal(shell(&t, &output, "tool -o /dev/fd/9 old new 9>/dev/full"), 125);
	assert_has(output, "'/dev/fd/9': No space left on device");
	free(output);
	e2e_end(&t);
}

/* not replaced by a file: as root that would be the end of /dev/null */
TEST(results_can_go_into_a_pipe)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	BA_AUTO_FREE char *pipe = at("%s/pipe", t.dir);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	BA_AUTO_FREE char *script =
		at("cat '%s' >../through & tool -q -o '%s' old new >/dev/null; echo $?; "
		   "wait; test -p '%s' && grep -c bench-against.results/1 ../through",
			pipe, pipe, pipe);
	char *output = NULL;
	assert_int_equal(shell(&t, &output, script), 0);
	assert_string_equal(output, "1\n1\n");
	free(output);
	/* a link stays a link */
	BA_AUTO_FREE char *link = at("%s/link.json", t.dir);
	put(t.dir, "target.json", "old\n");
	assert_int_equal(symlink("target.json", link), 0);
	e2e_against(&t, "-o", link, "old", "new");
	assert_status(&t, 1);
	struct stat st;
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	BA_AUTO_FREE char *text = slurp(t.dir, "target.json");
	assert_has(text, "bench-against.results/1");
	e2e_end(&t);
}

TEST(names_with_spaces_and_control_characters_do_no_harm)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_put_library(&t, "cost110");
	put(t.repo, "a\nfile \033[2J;$(touch pwned)", "x\n");
	commit_all(t.repo, "a subject \033[31mwith\a colour");
	git(t.repo, "branch", "feature/;touch$IFS'pwned\"");
	e2e_against(&t, "old", "feature/;touch$IFS'pwned\"");
	assert_status(&t, 1);
	assert_null(strchr(t.out, '\033'));
	assert_null(strchr(t.out, '\a'));
	BA_AUTO_FREE char *pwned = at("%s/pwned", t.repo);
	assert_false(ba_fs_exists(pwned));
	e2e_end(&t);
}
