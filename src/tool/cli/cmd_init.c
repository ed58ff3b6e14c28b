/* `bench-against init`: writes what a project's first comparison needs. */

#include "cli/cmd.h"
#include "git/repo.h"
#include "gpu/driver.h"
#include "init/init.h"

static const char *const kind_words[] = {
	"auto", "cmake", "python", "meson", "autotools", "make", NULL};
static const char *const ci_words[] = {"auto", "github", "gitlab", "none", NULL};

static struct {
	int kind, ci;
	bool without_gpu, hook, scripts;
} here;
static const ba_opt rows[] = {
	OPT_GROUP("What is written"),
	OPT_CHOICE(0, "kind", &here.kind, kind_words, NULL),
	OPT_CHOICE(0, "ci", &here.ci, ci_words, NULL),
	OPT_FLAG(0, "without-gpu", &here.without_gpu, NULL),
	OPT_FLAG(0, "hook", &here.hook, NULL),
	OPT_FLAG(0, "scripts", &here.scripts, NULL),
	OPT_END,
};
const ba_own_options ba_init_options = {"init", rows, &here, sizeof(here), NULL};

static void print_list(const char *title, const ba_strv *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(paths->items[i]);
		printf("%s %s\n", title, safe);
	}
}

static void print_look(const ba_project *p)
{
	static const char *const kinds[] = {"", "CMake", "Python", "Meson", "autotools", "make"};
	if (here.kind == 0)
		printf("%s %s project: it has '%s'%s.\n",
			p->kind == BA_PROJECT_AUTOTOOLS ? "An" : "A", kinds[p->kind], p->kind_why,
			p->both ? " (a Python one, too: --kind python)" : "");
	if (here.ci == 0)
		printf("%s: %s%s%s.\n", p->ci == BA_PROJECT_CI_GITHUB ? "GitHub" : "GitLab",
			p->ci_why ? "it has '"
				  : "there is nothing of another (--ci gitlab, --ci none)",
			p->ci_why ? p->ci_why : "", p->ci_why ? "'" : "");
}

static void print_first(const ba_init_result *s)
{
	if (!s->edit)
		puts("  1. look at .bench-against.json: the command of the suite runs your benchmarks");
	else if (ba_text_ends(s->edit, ".c"))
		printf("  1. put your launch code where my_launch() is in %s, and its sources into the CMakeLists.txt beside it\n",
			s->edit);
	else
		printf("  1. put your own code into %s; it already works, and a comment names the line to edit\n",
			s->edit);
}

static bool has_gpu(void)
{
	ba_driver driver;
	ba_error err;
	int n = 0;
	if (ba_driver_open(&driver, NULL, &err))
		return false;
	bool has = ba_driver_init(&driver, &err) == 0 && driver.device_get_count(&n) == 0 && n > 0;
	ba_driver_close(&driver);
	return has;
}

static void print_next(const ba_project *p, const ba_init_result *s)
{
	if (s->kept.count)
		puts("\nExisting files are unchanged.");
	if (p->without_gpu && ba_strv_has(&s->kept, ".bench-against.json"))
		puts("Add to .bench-against.json:  \"target\": \"host\", \"verdict_on\": \"instructions\"");
	bool gpu = strstr(s->found, "need a GPU") != NULL;
	puts("\nNext:");
	print_first(s);
	puts(gpu ? "  2. bench-against run WORKTREE                  does it work? on a machine with a GPU"
		 : "  2. bench-against run WORKTREE --target host    does it work? no GPU needed");
	puts(gpu ? "  3. bench-against HEAD~ HEAD                    did the last commit make it slower?"
		: p->without_gpu
			? "  3. bench-against --metrics instructions HEAD~ HEAD    does the last commit execute more?"
			: "  3. bench-against --target host HEAD~ HEAD      did the last commit make it slower?");
	puts("  4. git add -A && git commit");
	puts("  5. bench-against list --expected > .bench-against.expected    what a gate has to measure");
	if (p->ci == BA_PROJECT_CI_GITLAB)
		puts("  6. in .gitlab-ci.yml:  include: .gitlab/bench-against.yml");
	else if (p->ci == BA_PROJECT_CI_GITHUB && p->without_gpu)
		puts("  6. push: pull requests are judged by their instructions, on a runner without a GPU");
	else if (p->ci == BA_PROJECT_CI_GITHUB)
		puts("  6. push: pull requests are measured on the host target; for a GPU see .github/workflows/bench-against.yml");
	puts("'bench-against init --hook' measures before you push.");
	if (!p->without_gpu && !has_gpu())
		printf("This machine has no GPU. %s. 'bench-against init --without-gpu' writes a CI gate that counts instructions.\n",
			gpu ? "These benchmarks need one: run them where there is one"
			    : "The commands above need none");
}

static int write_hook(const ba_repo *repo, ba_error *err)
{
	BA_AUTO(ba_init_result) ba_init_result s = {0};
	BA_AUTO_FREE char *hooks = NULL;
	BA_TRY(ba_repo_hooks_dir(&hooks, repo, err));
	BA_TRY(ba_init_write_hook(&s, hooks, err));
	if (s.kept.count)
		return ba_fail(err, BA_EINVAL,
			"'%s' exists and stays unchanged; 'bench-against init --hook' in another clone writes the hook to copy from",
			s.kept.items[0]);
	print_list("wrote", &s.written);
	puts("Before each push it compares the pushed commits with the remote branch, on the host target, for at most a minute; git push --no-verify skips it.");
	return 0;
}

static int init(ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_init_result) ba_init_result s = {0};
	BA_TRY(ba_repo_open(&repo, ".", err));
	if (here.hook)
		return write_hook(repo, err);
	if (!ba_repo_workdir(repo))
		return ba_fail(err, BA_EREPO, "this repository has no working tree to write into");
	const char *top = ba_repo_workdir(repo);
	ba_project p;
	BA_TRY(ba_project_look(&p, top, err));
	p.without_gpu = here.without_gpu;
	p.forced = here.kind && (ba_project_kind)here.kind != p.kind;
	if (here.kind)
		p.kind = (ba_project_kind)here.kind;
	if (here.ci)
		p.ci = here.ci == 3 ? BA_PROJECT_CI_NONE : (ba_project_ci)here.ci;
	else if (!p.ci_why)
		p.ci = BA_PROJECT_CI_GITHUB;
	if (p.kind == BA_PROJECT_UNKNOWN)
		return ba_fail(err, BA_EINVAL,
			"'%s' has no CMakeLists.txt, pyproject.toml, setup.py, meson.build, configure.ac or Makefile: say what it is with --kind cmake or --kind python",
			top);
	int rc = ba_init_write(&s, top, &p, err);
	print_look(&p);
	if (rc == 0) {
		BA_AUTO_FREE char *safe = ba_text_safe(s.found);
		printf("Measured: %s.\n", safe);
	}
	print_list("wrote", &s.written);
	print_list("kept ", &s.kept);
	if (rc == 0)
		print_next(&p, &s);
	return rc;
}

int ba_cmd_init(ba_call *call, ba_error *err)
{
	if (here.scripts) {
		BA_AUTO_FREE char *scripts = ba_context_share("ci");
		if (!scripts)
			return ba_fail(err, BA_EIO,
				"'../share/bench-against/ci' is not beside this program: the installation is incomplete");
		puts(scripts);
		return 0;
	}
	BA_TRY(ba_context_enter(NULL, err));
	return init(err);
}
