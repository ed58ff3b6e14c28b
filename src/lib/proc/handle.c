#include "proc/handle.h"
#include "proc/procfs.h"

#define OUTPUT_CEILING (64u << 10)
#define LOG_CEILING (UINT64_C(64) << 20)
#define LINE_CEILING (64u << 20)
#define GRACE_NS (2 * BA_SECOND)
#define FREE_WAIT_NS (5 * BA_SECOND) /* longest time for a killed child to disappear */

static void capture_init(ba_capture *c, const ba_proc_output *how, ba_buf *text, uint64_t *dropped)
{
	*c = (ba_capture){.fd = -1,
		.mode = how->mode,
		.ceiling = how->ceiling ? how->ceiling : OUTPUT_CEILING,
		.text = text,
		.dropped = dropped};
}

static ba_proc *proc_new(const ba_proc_spec *spec)
{
	ba_proc *p = ba_xcalloc(1, sizeof(*p));
	p->pidfd = p->log_fd = p->stdin_fd = p->request_fd = p->reply_fd = -1;
	p->name = ba_xstrdup(spec->name ? spec->name : ba_path_base(spec->argv[0]));
	p->result.out = p->result.err = p->reply = (ba_buf)BA_BUF_INIT;
	p->result.limit_ns = spec->limit_ns;
	capture_init(&p->out, &spec->out, &p->result.out, &p->result.out_dropped);
	capture_init(&p->err, &spec->err, &p->result.err, &p->result.err_dropped);
	p->log_ceiling = spec->log_ceiling ? spec->log_ceiling : LOG_CEILING;
	p->stdin_data = spec->stdin_data;
	p->stdin_size = spec->stdin_size;
	p->line_ceiling = spec->line_ceiling ? spec->line_ceiling : LINE_CEILING;
	p->grace_ns = spec->grace_ns ? spec->grace_ns : GRACE_NS;
	p->stop = spec->stop;
	p->sandboxed = spec->sandboxed;
	return p;
}

static void proc_delete(ba_proc *p)
{
	ba_reap_forget(p);
	int *fds[] = {&p->pidfd, &p->log_fd, &p->stdin_fd, &p->request_fd, &p->reply_fd, &p->out.fd,
		&p->err.fd};
	for (size_t i = 0; i < BA_COUNT(fds); i++)
		ba_handle_close(fds[i]);
	ba_proc_result_dispose(&p->result);
	ba_buf_dispose(&p->reply);
	BA_FREE(p->name, p);
}

static int log_open(ba_proc *p, const ba_proc_spec *spec, ba_error *err)
{
	struct stat st;
	p->log_fd = open(spec->log_path,
		O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			(spec->log_append ? O_APPEND : O_TRUNC),
		0600);
	if (p->log_fd < 0 || fstat(p->log_fd, &st))
		return ba_fail_errno(err, BA_EIO, "log '%s'", spec->log_path);
	p->log_bytes = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	if (p->log_bytes > p->log_ceiling)
		p->log_bytes = p->log_ceiling;
	return 0;
}

int ba_proc_start(ba_proc **out, const ba_proc_spec *spec, ba_error *err)
{
	int rc = 0;
	BA_REQUIRE(spec->argv && spec->argv[0]);
	ba_reap_adopt();
	ba_proc *p = proc_new(spec);
	if (spec->log_path)
		rc = log_open(p, spec, err);
	if (!rc)
		rc = ba_proc_spawn(p, spec, err);
	if (rc) {
		proc_delete(p);
		return rc;
	}
	ba_reap_register(p);
	p->deadline_ns = spec->limit_ns ? p->started_ns + spec->limit_ns : BA_FOREVER;
	*out = p;
	return 0;
}

void ba_proc_free(ba_proc *p)
{
	if (!p)
		return;
	if (p->stage != BA_PROC_STAGE_ENDED) {
		p->stop = NULL; /* a requested stop does not end this short wait */
		ba_proc_kill(p, 0);
		ba_proc_wait(p, FREE_WAIT_NS, NULL);
	}
	proc_delete(p);
}

static bool take_first(void *data, pid_t child)
{
	*(pid_t *)data = child;
	return false;
}

pid_t ba_proc_pid(const ba_proc *p)
{
	/* bubblewrap, the first process of the namespace, the program */
	pid_t first = 0, inner = 0;
	if (p->sandboxed && !p->reaped)
		ba_procfs_each_child(p->pid, take_first, &first);
	if (first)
		ba_procfs_each_child(first, take_first, &inner);
	return inner ? inner : p->pid;
}

const char *ba_proc_name(const ba_proc *p)
{
	return p->name;
}

const ba_proc_result *ba_proc_result_of(ba_proc *p)
{
	return &p->result;
}

bool ba_proc_ended(const ba_proc *p)
{
	return p->stage == BA_PROC_STAGE_ENDED;
}

void ba_proc_kill(ba_proc *p, int64_t grace_ns)
{
	/* a child that ended by itself keeps its own result, seen by the next poll */
	if (p->stage >= BA_PROC_STAGE_DYING || ba_reap_has_ended(p))
		return;
	if (p->cause == BA_PROC_RUNNING)
		p->cause = BA_PROC_KILLED;
	kill(-p->pid, grace_ns ? SIGTERM : SIGKILL);
	p->stage = grace_ns ? BA_PROC_STAGE_TERMINATING : BA_PROC_STAGE_DYING;
	p->kill_at_ns = ba_now_ns() + grace_ns;
	p->give_up_ns = ba_now_ns() + BA_GIVE_UP_NS;
}

int64_t ba_moment(int64_t timeout_ns)
{
	int64_t now = ba_now_ns();
	return timeout_ns < 0 || timeout_ns > BA_FOREVER - now ? BA_FOREVER : now + timeout_ns;
}

static bool newly_ended(size_t *ended, ba_proc *const *procs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (procs[i] && procs[i]->stage == BA_PROC_STAGE_ENDED && !procs[i]->reported) {
			procs[i]->reported = true;
			*ended = i;
			return true;
		}
	}
	return false;
}

int ba_proc_poll(size_t *ended, ba_proc *const *procs, size_t n, int64_t timeout_ns, ba_error *err)
{
	int64_t until = ba_moment(timeout_ns);
	do {
		if (newly_ended(ended, procs, n))
			return 0;
		BA_TRY(ba_pump_step(procs, n, until, err));
	} while (ba_now_ns() < until);
	if (newly_ended(ended, procs, n))
		return 0;
	return ba_fail(err, BA_ETIMEOUT, "no child process ended in time");
}

int ba_proc_wait(ba_proc *p, int64_t timeout_ns, ba_error *err)
{
	int64_t until = ba_moment(timeout_ns);
	while (p->stage != BA_PROC_STAGE_ENDED) {
		BA_TRY(ba_pump_step(&p, 1, until, err));
		if (p->stage != BA_PROC_STAGE_ENDED && ba_now_ns() >= until)
			return ba_fail(err, BA_ETIMEOUT, "%s still runs", p->name);
	}
	return 0;
}

int ba_proc_run(ba_proc_result *out, const ba_proc_spec *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	BA_TRY(ba_proc_start(&p, spec, err));
	return ba_proc_finish(out, p, err);
}

int ba_proc_finish(ba_proc_result *out, ba_proc *p, ba_error *err)
{
	BA_TRY(ba_proc_wait(p, -1, err));
	ba_proc_result_dispose(out);
	*out = p->result;
	p->result.out = p->result.err = (ba_buf)BA_BUF_INIT;
	return 0;
}
