#include <sys/mman.h>

#include "proc/affinity.h"
#include "sandbox/inside.h"

#define FOLDERS "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin"
#define FDS_MOST 16

/* ---- what bubblewrap reads ---- */

/* Puts data into a file in memory, positioned at its beginning. */
static int hand_over(int *out, const char *name, const void *data, size_t size, ba_error *err)
{
	BA_AUTO_FD int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0 || ba_fs_write_all(fd, data, size) || lseek(fd, 0, SEEK_SET))
		return ba_fail_errno(err, BA_EIO, "cannot describe a sandbox");
	*out = fd;
	fd = -1;
	return 0;
}

static int hand_arguments(int *out, const ba_strv *args, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t i = 0; i < args->count; i++)
		ba_buf_put(&text, args->items[i], strlen(args->items[i]) + 1);
	return hand_over(out, "sandbox-arguments", text.data, text.len, err);
}

static int hand_filter(int *out, const ba_sandbox *box, ba_error *err)
{
	BA_AUTO_FREE ba_filter *filter = ba_xcalloc(1, sizeof(*filter));
	ba_sandbox_filter(filter, ba_sandbox_architecture(), box->alone);
	if (!filter->count)
		return ba_fail(err, BA_EUNSUPPORTED,
			"this version has no sandbox for processors other than x86-64 and aarch64");
	return hand_over(
		out, "sandbox-filter", filter->items, filter->count * sizeof(*filter->items), err);
}

/* ---- start ---- */

/* The wrapped command and its memory, while it is needed. */
typedef struct wrapped {
	ba_strv env, args, argv;
	ba_proc_fd fds[FDS_MOST];
	size_t fd_count;
	int args_fd, filter_fd;
} wrapped;

BA_OWNS_HERE(wrapped, w, BA_DISPOSE(ba_strv, &w->env, &w->args, &w->argv),
	ba_auto_close(&w->args_fd), ba_auto_close(&w->filter_fd))

static int find_bwrap(char **out, ba_error *err)
{
	if (ba_proc_find_program(out, "bwrap", FOLDERS, NULL, NULL) == 0)
		return 0;
	return ba_fail(err, BA_EUNSUPPORTED,
		"the sandbox needs bubblewrap, which is not installed: apt-get install bubblewrap");
}

/* Is the file, or that to which it leads, below one of these? They may be links. */
static bool leads_into(const char *real, const char *const *list)
{
	for (; list && *list; list++) {
		BA_AUTO_FREE char *dir = realpath(*list, NULL);
		if (dir && ba_path_is_within(real, dir))
			return true;
	}
	return false;
}

/* Does the program exist inside the sandbox? bubblewrap itself would only report that
 * it does not. */
static int check_program(const wrapped *w, const char *program, const char *dir,
	const ba_sandbox *box, ba_error *err)
{
	BA_AUTO_FREE char *file = NULL;
	const char *path = ba_env_find((const char *const *)w->env.items, "PATH");
	if (ba_proc_find_program(&file, program, path, dir, err))
		return ba_fail_context(err, "in the sandbox");
	BA_AUTO_FREE char *real = realpath(file, NULL);
	if (!real || ba_sandbox_sees(box, real) || leads_into(real, box->readable) ||
		leads_into(real, box->writable))
		return 0;
	bool link = strcmp(real, file) != 0;
	return ba_fail(err, BA_ENOTFOUND,
		"the sandbox does not have '%s'%s%s%s; name its folder in 'readable' of the configuration's 'sandbox'",
		real, link ? ", to which '" : "", link ? file : "", link ? "' leads" : "");
}

static int wrap(wrapped *w, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err)
{
	BA_AUTO_FREE char *bwrap = NULL, *fd = ba_xprintf("%d", BA_SANDBOX_ARGS_FD);
	ba_sandbox_environment(&w->env, spec->env ? spec->env : (const char *const *)environ, box);
	BA_TRY(find_bwrap(&bwrap, err));
	BA_TRY(check_program(w, spec->argv[0], spec->dir, box, err));
	ba_sandbox_arguments(&w->args, box, (const char *const *)w->env.items, spec->dir);
	ba_strv_push(&w->argv, bwrap);
	ba_strv_push(&w->argv, "--args");
	ba_strv_push(&w->argv, fd);
	ba_strv_push(&w->argv, "--");
	for (const char *const *a = spec->argv; *a; a++)
		ba_strv_push(&w->argv, *a);
	BA_TRY(hand_arguments(&w->args_fd, &w->args, err));
	BA_TRY(hand_filter(&w->filter_fd, box, err));
	if (spec->fd_count + 2 > FDS_MOST)
		return ba_fail(err, BA_EINVAL, "too many descriptors for a child");
	for (size_t i = 0; i < spec->fd_count; i++)
		w->fds[w->fd_count++] = spec->fds[i];
	w->fds[w->fd_count++] = (ba_proc_fd){w->args_fd, BA_SANDBOX_ARGS_FD};
	w->fds[w->fd_count++] = (ba_proc_fd){w->filter_fd, BA_SANDBOX_FILTER_FD};
	return 0;
}

/* A child inherits the processors of this thread. */
static int start_pinned(
	ba_proc **out, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err)
{
	ba_cpus ours;
	if (!box->pinned)
		return ba_proc_start(out, spec, err);
	BA_TRY(ba_affinity_allowed(&ours, err));
	BA_TRY(ba_affinity_pin(box->cpu, err));
	int rc = ba_proc_start(out, spec, err);
	ba_affinity_set(&ours);
	return rc;
}

int ba_sandbox_start(ba_proc **out, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err)
{
	/* variables of the sandboxed program must not affect bubblewrap, which is
	 * outside */
	static const char *const plain[] = {"PATH=" FOLDERS, NULL};
	if (!box)
		return ba_proc_start(out, spec, err);
	BA_AUTO(wrapped) wrapped w = {.args_fd = -1, .filter_fd = -1};
	BA_TRY(wrap(&w, spec, box, err));
	ba_proc_spec outer = *spec;
	outer.name = spec->name ? spec->name : ba_path_base(spec->argv[0]);
	outer.argv = (const char *const *)w.argv.items;
	outer.env = plain;
	outer.fds = w.fds;
	outer.fd_count = w.fd_count;
	outer.sandboxed = true;
	return start_pinned(out, &outer, box, err);
}

int ba_sandbox_run(
	ba_proc_result *out, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	BA_TRY(ba_sandbox_start(&p, spec, box, err));
	return ba_proc_finish(out, p, err);
}

/* ---- is there one ---- */

static bool says(const char *path, const char *value)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	return ba_fs_read(&text, path, 64, NULL) == 0 &&
	       strcspn(text.data, "\n") == strlen(value) && ba_text_starts(text.data, value);
}

/* Why an ordinary user cannot make namespaces, as far as the kernel says. */
static const char *remedy(void)
{
	if (says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
		return "; AppArmor forbids namespaces: as root, 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0', or give bwrap a profile that allows them";
	if (says("/proc/sys/kernel/unprivileged_userns_clone", "0"))
		return "; as root: sysctl -w kernel.unprivileged_userns_clone=1";
	if (says("/proc/sys/user/max_user_namespaces", "0"))
		return "; as root: sysctl -w user.max_user_namespaces=10000";
	return "; in a container, it needs permission to make namespaces (docs/security.md)";
}

int ba_sandbox_available(ba_error *err)
{
	static const char *const argv[] = {"true", NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const ba_proc_spec spec = {.argv = argv,
		.env = env,
		.out = {BA_OUTPUT_TAIL, 4096},
		.err = {BA_OUTPUT_JOIN, 0},
		.limit_ns = INT64_C(20000000000)};
	const ba_sandbox box = {0};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	ba_error why;
	if (ba_sandbox_run(&result, &spec, &box, &why))
		return ba_fail(err, BA_EUNSUPPORTED, "%s", why.text);
	if (ba_proc_result_ok(&result))
		return 0;
	BA_AUTO_FREE char *said = ba_text_sentence(result.out.data);
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, &result);
	return ba_fail(err, BA_EUNSUPPORTED, "bubblewrap cannot make a sandbox here: %s%s",
		*said ? said : how.data, remedy());
}
