/* What changed between two libraries, from calls that were really counted. */
#include "test.h"

#include <dlfcn.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/base.h"
#include "profile/profile.h"

#define MOST 100000

/* Two variants of a launcher, in folders of their own. */
typedef struct pair {
	char dir[PATH_MAX];
	ba_trace traces[2];
	char *trees[2];
	ba_explanation e;
} pair;

static void build(const char *tree, const char *source, const char *flags)
{
	BA_AUTO_FREE char *file = ba_path_join(tree, "launch.c");
	BA_AUTO_FREE char *command = ba_xprintf(
		"cd '%s' && cc -std=gnu11 -O1 -g -fPIC -shared -fno-inline %s -o liblaunch.so \"$PWD/launch.c\" %s",
		tree, flags, strstr(flags, "-s") ? "&& strip liblaunch.so" : "");
	assert_int_equal(ba_fs_mkdirs(tree, NULL), 0);
	assert_int_equal(ba_fs_write(file, source, strlen(source), 0644, NULL), 0);
	assert_int_equal(system(command), 0);
}

/* Calls launch() twice and keeps the trace of both; false: not on this machine. */
static bool trace_of(ba_trace *out, const char *tree)
{
	BA_AUTO_FREE char *library = ba_path_join(tree, "liblaunch.so");
	BA_AUTO_FREE char *path = ba_path_join(tree, "trace");
	ba_counter *c = NULL;
	ba_counted counted;
	ba_error err;
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(handle);
	void (*launch)(void);
	*(void **)&launch = dlsym(handle, "launch");
	assert_non_null(*(void **)&launch);
	if (ba_counter_open(&c, BA_COUNTER_FLAG, MOST, &err) == BA_EUNSUPPORTED)
		return false;
	BA_AUTO_PTR(ba_trace_file) ba_trace_file *f = ba_trace_create(path);
	for (int i = 0; i < 2; i++) {
		const ba_counter_call call = {launch, {NULL}};
		assert_int_equal(ba_counter_run(&counted, c, &call, NULL), 0);
		ba_trace_add(f, &counted);
	}
	assert_int_equal(ba_trace_write(f, NULL), 0);
	assert_int_equal(ba_trace_read(out, path, NULL), 0);
	ba_counter_free(c);
	dlclose(handle);
	return true;
}

static ba_profile_side side_of(const pair *p, int i)
{
	return (ba_profile_side){&p->traces[i], 1, p->trees[i], NULL};
}

/* Other candidates come before it, and leave nothing. */
static void explain_sides(
	ba_explanation *e, const ba_profile_side *baseline, const ba_profile_side *candidate)
{
	ba_profile *p;
	assert_int_equal(ba_profile_open(&p, baseline, NULL), 0);
	assert_int_equal(ba_profile_explain(p, e, candidate, NULL), 0);
	assert_int_equal(ba_profile_explain(p, e, baseline, NULL), 0);
	assert_int_equal(ba_profile_explain(p, e, candidate, NULL), 0);
	ba_profile_close(p);
}

static bool explain_with(pair *p, const char *baseline, const char *candidate, const char *flags)
{
	const char *sources[] = {baseline, candidate};
	*p = (pair){.dir = "/tmp/ba-profile-XXXXXX"};
	assert_non_null(mkdtemp(p->dir));
	for (int i = 0; i < 2; i++) {
		p->trees[i] = ba_path_join(p->dir, i ? "candidate" : "baseline");
		build(p->trees[i], sources[i], flags);
		if (!trace_of(&p->traces[i], p->trees[i]))
			return false;
	}
	ba_profile_side b = side_of(p, 0), c = side_of(p, 1);
	explain_sides(&p->e, &b, &c);
	return true;
}

static void dispose(pair *p)
{
	for (int i = 0; i < 2; i++) {
		ba_trace_dispose(&p->traces[i]);
		free(p->trees[i]);
	}
	ba_explanation_dispose(&p->e);
	ba_fs_remove_tree(p->dir, NULL);
}

static bool explain(pair *p, const char *baseline, const char *candidate)
{
	return explain_with(p, baseline, candidate, "");
}

/* The rows add up to what was counted, in each scope. */
static void check_sums(const pair *p)
{
	uint64_t totals[2] = {0}, scopes[BA_SCOPE_COUNT], rows[BA_SCOPE_COUNT] = {0};
	for (size_t i = 0; i < p->e.function_count; i++) {
		totals[0] += p->e.functions[i].baseline;
		totals[1] += p->e.functions[i].candidate;
		rows[p->e.functions[i].scope] += p->e.functions[i].candidate;
	}
	for (int i = 0; i < 2; i++)
		assert_int_equal(totals[i], p->traces[i].counts[1]);
	ba_profile_side c = side_of(p, 1);
	assert_int_equal(ba_profile_scopes(scopes, &c, NULL), 0);
	for (int s = 0; s < BA_SCOPE_COUNT; s++) {
		assert_int_equal(scopes[s], p->e.candidate[s]);
		assert_int_equal(rows[s], p->e.candidate[s]);
	}
}

static const ba_explained_function *row_of(const pair *p, const char *name)
{
	for (size_t i = 0; i < p->e.function_count; i++)
		if (strcmp(p->e.functions[i].name, name) == 0)
			return &p->e.functions[i];
	fail_msg("no row of %s", name);
	return NULL;
}

/* The line is named, and the baseline executes nothing there. */
static void check_line(const ba_explained_function *f, unsigned line)
{
	for (size_t i = 0; i < f->line_count; i++) {
		if (f->lines[i].line != line)
			continue;
		assert_string_equal(f->lines[i].file, "launch.c");
		assert_int_equal(f->lines[i].baseline, 0);
		assert_true(f->lines[i].candidate > 0);
		return;
	}
	fail_msg("line %u is not named", line);
}

/* the pieces of a launcher */
#define KEY_OF                            \
	"volatile int state[8];\n"        \
	"static int key_of(int k)\n"      \
	"{\n"                             \
	"\tint sum = 0;\n"                \
	"\tfor (int i = 0; i < 4; i++)\n" \
	"\t\tsum += state[i] * k;\n"      \
	"\treturn sum;\n"                 \
	"}\n"
#define DISPATCH(call)                                        \
	"static int dispatch(int k)\n"                        \
	"{\n"                                                 \
	"\tint key = key_of(k);\n" call "\tstate[0] = key;\n" \
	"\treturn key + state[1];\n"                          \
	"}\n"
#define LAUNCH(sum)           \
	"int launch(void)\n"  \
	"{\n"                 \
	"\treturn " sum ";\n" \
	"}\n"
#define BASELINE KEY_OF DISPATCH("") LAUNCH("dispatch(3) + 1")

TEST(a_new_function_is_named_with_its_caller)
{
	pair p;
	if (!explain(&p, BASELINE,
		    KEY_OF "static void take_lock(void)\n"
			   "{\n"
			   "\tfor (int i = 0; i < 10; i++)\n"
			   "\t\tstate[2] += i;\n"
			   "}\n" DISPATCH("\ttake_lock();\n") LAUNCH("dispatch(3) + 1")))
		skip();
	check_sums(&p);
	const ba_explained_function *f = &p.e.functions[0];
	assert_string_equal(f->name, "take_lock");
	assert_int_equal(f->kind, BA_ROW_NEW);
	assert_int_equal(f->scope, BA_SCOPE_OWN);
	assert_string_equal(f->object, "liblaunch.so");
	assert_string_equal(f->file, "launch.c");
	assert_int_equal(f->line, 9);
	assert_true(f->candidate > 40);
	/* its caller, and the line that calls it */
	f = row_of(&p, "dispatch");
	assert_int_equal(f->kind, BA_ROW_BOTH);
	check_line(f, 17);
	assert_string_equal(p.e.parting,
		"after dispatch() (launch.c:17): the baseline returns to launch(), the candidate calls take_lock()");
	assert_false(p.e.same_path);
	dispose(&p);
}

TEST(the_same_code_has_no_rows)
{
	pair p;
	if (!explain(&p, BASELINE, BASELINE))
		skip();
	check_sums(&p);
	assert_int_equal(p.e.function_count, 1);
	assert_int_equal(p.e.functions[0].kind, BA_ROW_OTHERS);
	assert_int_equal(p.e.functions[0].count, 3);
	assert_true(p.e.same_path);
	assert_null(p.e.parting);
	dispose(&p);
}

TEST(another_name_for_the_same_code_is_renamed)
{
	pair p;
	BA_AUTO_FREE char *candidate = ba_xstrdup(BASELINE);
	for (char *at = candidate; (at = strstr(at, "key_of"));)
		memcpy(at, "hashed", strlen("hashed"));
	if (!explain(&p, BASELINE, candidate))
		skip();
	check_sums(&p);
	const ba_explained_function *f = row_of(&p, "hashed");
	assert_int_equal(f->kind, BA_ROW_RENAMED);
	assert_string_equal(f->was, "key_of");
	assert_int_equal(f->baseline, f->candidate);
	assert_true(p.e.same_path);
	dispose(&p);
}

/* one more turn of the loop: the same calls, and a longer way between them */
TEST(a_longer_way_in_one_function_is_found)
{
	pair p;
	BA_AUTO_FREE char *candidate = ba_xstrdup(BASELINE);
	*strstr(candidate, "4; i++") = '5';
	if (!explain(&p, BASELINE, candidate))
		skip();
	check_sums(&p);
	assert_string_equal(p.e.functions[0].name, "key_of");
	assert_int_equal(p.e.functions[0].kind, BA_ROW_BOTH);
	assert_true(p.e.functions[0].line_count >= 1);
	assert_in_range(p.e.functions[0].lines[0].line, 5, 6);
	assert_non_null(strstr(p.e.parting, "in key_of() (launch.c:"));
	assert_false(p.e.same_path);
	dispose(&p);
}

/* as many instructions, and another one among them: no matter of layout */
TEST(another_instruction_is_another_path)
{
	pair p;
	BA_AUTO_FREE char *candidate = ba_xstrdup(BASELINE);
	memcpy(strstr(candidate, "sum += state"), "sum ^= state", 12);
	if (!explain(&p, BASELINE, candidate))
		skip();
	check_sums(&p);
	assert_int_equal(p.traces[0].counts[1], p.traces[1].counts[1]);
	assert_int_equal(p.e.functions[0].kind, BA_ROW_OTHERS);
	assert_string_equal(
		p.e.parting, "in key_of() (launch.c:6): the two execute different instructions");
	assert_false(p.e.same_path);
	dispose(&p);
}

/* the same code seven bytes further on */
TEST(code_at_another_place_is_the_same_path)
{
	pair p;
	BA_AUTO_FREE char *candidate =
		ba_xprintf("__asm__(\".text\\n.fill 7, 1, 0x90\");\n%s", BASELINE);
	if (!explain(&p, BASELINE, candidate))
		skip();
	check_sums(&p);
	assert_true(p.e.same_path);
	assert_null(p.e.parting);
	dispose(&p);
}

/* A loop's alignment is executed: one NOP of one byte, of two, or of more */
TEST(nops_of_another_length_are_the_same_path)
{
	static const char *const nops[] = {
		"nop", "xchg %ax, %ax", "nopl (%rax)", "nopw %cs:0(%rax,%rax,1)"};
	for (size_t i = 1; i < sizeof(nops) / sizeof(*nops); i++) {
		pair p;
		BA_AUTO_FREE char *baseline =
			ba_xprintf("int launch(void) { __asm__ volatile(\"nop\"); return 3; }\n");
		BA_AUTO_FREE char *candidate = ba_xprintf(
			"int launch(void) { __asm__ volatile(\"%s\"); return 3; }\n", nops[i]);
		if (!explain(&p, baseline, candidate))
			skip();
		check_sums(&p);
		assert_true(p.e.same_path);
		dispose(&p);
	}
}

/* The cost of a copy is the library's; its reason is the function that calls it. */
TEST(what_calls_the_library_comes_first)
{
	pair p;
	if (!explain(&p, BASELINE,
		    "#include <stdlib.h>\n" KEY_OF "static int read_environment(void)\n"
		    "{\n"
		    "\treturn getenv(\"BA_NO_SUCH\") != NULL && key_of(0);\n"
		    "}\n" DISPATCH("") LAUNCH("dispatch(3 + read_environment()) + 1")))
		skip();
	check_sums(&p);
	const ba_explained_function *f = &p.e.functions[0];
	assert_string_equal(f->name, "read_environment");
	assert_true(f->candidate < f->calls_candidate);
	assert_int_equal(f->calls_baseline, 0);
	assert_null(f->through);
	f = row_of(&p, "getenv");
	assert_int_equal(f->scope, BA_SCOPE_RUNTIME);
	assert_string_equal(f->through, "read_environment");
	assert_int_equal(f->calls_candidate, 0);
	dispose(&p);
}

/* A function of the tree is called once more: by a function that is new */
TEST(what_calls_a_known_function_again_comes_first)
{
	pair p;
	if (!explain(&p, BASELINE,
		    KEY_OF DISPATCH("") "static int look_again(void)\n"
					"{\n"
					"\treturn key_of(5) + 1;\n"
					"}\n" LAUNCH("dispatch(3) + look_again()")))
		skip();
	check_sums(&p);
	const ba_explained_function *f = &p.e.functions[0];
	assert_string_equal(f->name, "look_again");
	f = row_of(&p, "key_of");
	assert_int_equal(f->kind, BA_ROW_BOTH);
	assert_string_equal(f->through, "look_again");
	assert_int_equal(f->candidate - f->baseline, p.e.functions[0].calls_candidate);
	dispose(&p);
}

/* lines above moved everything below: only the changed line is named */
TEST(moved_lines_are_the_same_lines)
{
	pair p;
	BA_AUTO_FREE char *longer = ba_xstrdup(BASELINE);
	*strstr(longer, "4; i++") = '5';
	BA_AUTO_FREE char *candidate = ba_xprintf("/* one\n * two */\n\n%s", longer);
	if (!explain(&p, BASELINE, candidate))
		skip();
	check_sums(&p);
	for (size_t i = 0; i < p.e.functions[0].line_count; i++)
		assert_in_range(p.e.functions[0].lines[i].line, 8, 9);
	assert_int_equal(p.e.functions[0].line_count, 2);
	dispose(&p);
}

/* names that a C++ compiler would make */
TEST(names_of_cpp_are_demangled)
{
	pair p;
	void *runtime = dlopen("libstdc++.so.6", RTLD_NOW);
	if (!runtime)
		skip();
	dlclose(runtime);
	BA_AUTO_FREE char *baseline = ba_xprintf("#define key_of _ZN5queue4pushEi\n%s", BASELINE);
	BA_AUTO_FREE char *candidate = ba_xstrdup(baseline);
	*strstr(candidate, "4; i++") = '5';
	if (!explain(&p, baseline, candidate))
		skip();
	check_sums(&p);
	assert_string_equal(p.e.functions[0].name, "queue::push(int)");
	assert_non_null(strstr(p.e.parting, "in queue::push(int) (launch.c:"));
	dispose(&p);
}

TEST(without_symbols_functions_have_addresses)
{
	pair p;
	BA_AUTO_FREE char *candidate = ba_xstrdup(BASELINE);
	*strstr(candidate, "4; i++") = '5';
	if (!explain_with(&p, BASELINE, candidate,
		    "-s -fvisibility=hidden -D'launch=__attribute__((visibility(\"default\"))) launch'"))
		skip();
	check_sums(&p);
	/* dispatch is the same in both, wherever it lies: launch has its name */
	assert_memory_equal(p.e.functions[0].name, "liblaunch.so+0x", 15);
	assert_null(p.e.functions[0].file);
	dispose(&p);
}

/* A launcher that no file has any longer: no name, and the sums stay. */
TEST(a_file_that_is_gone_or_damaged_has_no_symbols)
{
	pair p;
	if (!explain(&p, BASELINE, BASELINE))
		skip();
	BA_AUTO_FREE char *gone = ba_path_join(p.trees[0], "liblaunch.so");
	BA_AUTO_FREE char *damaged = ba_path_join(p.trees[1], "liblaunch.so");
	assert_int_equal(unlink(gone), 0);
	assert_int_equal(truncate(damaged, 100), 0);
	ba_profile_side b = side_of(&p, 0), c = side_of(&p, 1);
	explain_sides(&p.e, &b, &c);
	check_sums(&p);
	assert_int_equal(p.e.function_count, 1);
	assert_int_equal(p.e.functions[0].count, 1);
	dispose(&p);
}

TEST(excluded_objects_count_as_none)
{
	pair p;
	uint64_t scopes[BA_SCOPE_COUNT];
	if (!explain(&p, BASELINE, BASELINE))
		skip();
	BA_AUTO_FREE char *library = ba_path_join(p.trees[1], "liblaunch.so");
	const char *const exclude[] = {library, NULL};
	ba_profile_side c = side_of(&p, 1);
	assert_int_equal(ba_profile_scopes(scopes, &c, NULL), 0);
	assert_int_equal(scopes[BA_SCOPE_OWN], p.traces[1].counts[1]);
	c.exclude = exclude;
	assert_int_equal(ba_profile_scopes(scopes, &c, NULL), 0);
	assert_int_equal(scopes[BA_SCOPE_OWN], 0);
	c.exclude = NULL;
	c.tree = "/another";
	assert_int_equal(ba_profile_scopes(scopes, &c, NULL), 0);
	assert_int_equal(scopes[BA_SCOPE_RUNTIME], p.traces[1].counts[1]);
	c.call = 2;
	assert_int_equal(ba_profile_scopes(scopes, &c, NULL), BA_EDATA);
	dispose(&p);
}
