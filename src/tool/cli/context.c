#include "cli/cmd.h"

#include "proc/proc.h"

volatile sig_atomic_t ba_stop_signal;

static void on_signal(int number)
{
	ba_stop_signal = number;
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < BA_COUNT(signals); i++) {
		struct sigaction old, act = {.sa_handler = on_signal};
		/* signals that were ignored stay ignored, as with nohup */
		int rc = sigaction(signals[i], NULL, &old);
		if (rc == 0 && old.sa_handler != SIG_IGN)
			rc = sigaction(signals[i], &act, NULL);
		/* sigaction cannot fail here; without handlers nothing is cleaned up */
		BA_REQUIRE(rc == 0);
	}
	/* write() then fails with an error message instead of killing the process */
	BA_REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	BA_REQUIRE(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
}

int ba_context_leave(int status)
{
	int number = ba_stop_signal;
	sigset_t only;
	if (number == 0 || status != 128 + number)
		return status;
	fflush(NULL);
	sigemptyset(&only);
	sigaddset(&only, number);
	signal(number, SIG_DFL);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return status; /* process 1 of a container does not die from the signal */
}

static void log_line(void *data, ba_log_level level, const char *text)
{
	ba_context *c = data;
	if ((level == BA_LOG_DEBUG && !c->options->verbose) ||
		(level == BA_LOG_INFO && c->options->quiet))
		return;
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_buf_puts(&line, level == BA_LOG_WARNING ? "warning: " : "");
	ba_text_sanitize(&line, text, strlen(text), true);
	if (!c->format.unicode)
		ba_text_ascii(line.data);
	ba_progress_log(&c->progress, line.data, ba_now_ns());
}

/* Finds a part beside the executable, in the build tree or in an installation. */
static char *own_part(const char *const *places, const char *name)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n <= 0)
		return NULL;
	exe[n] = '\0';
	BA_AUTO_FREE char *bin = ba_path_dir(exe);
	for (; *places; places++) {
		char *path = ba_xprintf("%s/%s/bench-against/%s", bin, *places, name);
		char *real = realpath(path, NULL);
		free(path);
		if (real)
			return real;
	}
	return NULL;
}

char *ba_context_share(const char *name)
{
	static const char *const shares[] = {"../share", "../" BA_INSTALL_DATADIR, NULL};
	return own_part(shares, name);
}

static int find_parts(ba_context *c, ba_error *err)
{
	static const char *const executables[] = {"../libexec", "../" BA_INSTALL_LIBEXECDIR, NULL};
	static const char *const libraries[] = {"../lib", "../" BA_INSTALL_LIBDIR, NULL};
	ba_job_parts *p = &c->parts;
	p->python = ba_context_share("python");
	p->worker = own_part(executables, "bench-against-worker");
	p->host_driver = own_part(libraries, "host/libcuda.so.1");
	p->python_start = ba_context_share("python/bench_against_worker/start");
	p->observer = own_part(libraries, "observer/libcuda.so.1");
	p->loads = own_part(libraries, "loads.so");
	p->hook = own_part(libraries, "hook.so");
	if (!p->worker && access("/proc/self", F_OK))
		return ba_fail(err, BA_EUNSUPPORTED,
			"/proc is not mounted, and measuring needs it: mount -t proc proc /proc");
	if (!p->worker)
		return ba_fail(err, BA_EIO,
			"'bench-against-worker' is not beside this program; it belongs into ../libexec/bench-against: the installation is incomplete");
	return 0;
}

static int find_cache(ba_context *c, ba_error *err)
{
	const char *named = c->options->cache_dir;
	const char *own = getenv("BENCH_AGAINST_CACHE");
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (named || (own && *own))
		c->cache_root = ba_path_absolute(named ? named : own);
	else if (xdg && xdg[0] == '/')
		c->cache_root = ba_path_join(xdg, "bench-against");
	else if (home && home[0] == '/')
		c->cache_root = ba_path_join(home, ".cache/bench-against");
	else
		return ba_fail(err, BA_EIO,
			"no place for the cache: HOME is not set; name one with --cache-dir or BENCH_AGAINST_CACHE");
	return 0;
}

#define VERBOSE_COLUMNS 160u

/* Without setlocale, which would change number formats in foreign code. */
static bool terminal_speaks_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

static ba_colour choose_colour(const ba_options *o)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	bool tty = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
	/* the words of --color: auto, always, never */
	if (o->colour == 2 || (o->colour == 0 && (!tty || (none && *none))))
		return BA_COLOUR_NONE;
	return term && strstr(term, "256color") ? BA_COLOUR_256 : BA_COLOUR_16;
}

ba_format_options ba_context_format(const ba_options *o)
{
	unsigned width = ba_terminal_width(STDOUT_FILENO);
	/* without a terminal there is no width limit: columns for --verbose are kept */
	if (o->verbose && !isatty(STDOUT_FILENO) && width < VERBOSE_COLUMNS)
		width = VERBOSE_COLUMNS;
	return (ba_format_options){
		.width = width,
		.colour = choose_colour(o),
		.unicode = o->unicode == 1 || (o->unicode == 0 && terminal_speaks_utf8()),
		.verbose = o->verbose,
		.quiet = o->quiet,
	};
}

static void show_phase(void *data, const char *text)
{
	ba_context *c = data;
	ba_progress_phase(&c->progress, text, ba_now_ns());
}

static void show_progress(void *data, double done, const char *text)
{
	ba_context *c = data;
	ba_progress_set(&c->progress, done, text, ba_now_ns());
}

static void hide_progress(void *data)
{
	ba_context *c = data;
	ba_progress_clear(&c->progress);
}

int ba_context_enter(const char *directory, ba_error *err)
{
	if (directory && chdir(directory))
		return ba_fail_errno(err, BA_EINVAL, "-C: cannot change into '%s'", directory);
	BA_AUTO_FREE char *here = getcwd(NULL, 0);
	if (!here)
		return ba_fail(err, BA_EIO,
			"the working directory was removed or cannot be named (%s): change into another one, or name it with -C",
			strerror(errno));
	return 0;
}

int ba_context_init(ba_context *c, const ba_options *o, ba_error *err)
{
	*c = (ba_context){.options = o};
	catch_signals();
	c->format = ba_context_format(o);
	ba_progress_init(&c->progress, STDERR_FILENO,
		o->quiet ? BA_PROGRESS_NEVER : (ba_progress_mode)o->progress, c->format.unicode,
		ba_now_ns());
	c->log = (ba_log){log_line, c};
	int rc = ba_context_enter(o->directory, err);
	rc = rc ? rc : find_cache(c, err);
	rc = rc ? rc : find_parts(c, err);
	c->services = (ba_job_services){.parts = &c->parts,
		.cache_root = c->cache_root,
		.env = (const char *const *)environ,
		.log = &c->log,
		.stop = &ba_stop_signal,
		.phase = show_phase,
		.progress = show_progress,
		.quiet = hide_progress,
		.data = c};
	return rc;
}

void ba_context_dispose(ba_context *c)
{
	BA_FREE(c->parts.worker, c->parts.host_driver, c->parts.observer, c->parts.python,
		c->parts.python_start, c->parts.loads, c->parts.hook, c->cache_root);
	if (c->options)
		ba_progress_dispose(&c->progress);
	*c = (ba_context){0};
}

int ba_context_complain(ba_context *c, const ba_error *err)
{
	if (c && c->options)
		ba_progress_clear(&c->progress);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_text_sanitize(&text, err->text, strlen(err->text), true);
	ba_text_disarm(&text);
	fflush(stdout);
	if (ba_stop_signal) {
		fprintf(stderr, "bench-against: %s (SIG%s)\n", text.data,
			ba_signal_name(ba_stop_signal));
		return 128 + ba_stop_signal;
	}
	fprintf(stderr, "bench-against: %s\n", text.data);
	return ba_error_exit_status(err->code);
}

void ba_context_put(ba_buf *lines)
{
	ba_text_disarm(lines);
	fwrite(lines->data, 1, lines->len, stdout);
	ba_buf_clear(lines);
}

int ba_context_end(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "bench-against: standard output: %s\n", strerror(errno));
	return status == 1 ? 1 : 125;
}
