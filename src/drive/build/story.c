#include "build/build.h"

#define LINES 20
#define LINE_WIDTH 400 /* longest line shown, because template errors fill screens */

static void put_last_lines(ba_buf *out, const char *output)
{
	const char *line = ba_text_last_lines(output, LINES);
	while (*line) {
		size_t size = strcspn(line, "\n");
		size_t shown = size < LINE_WIDTH ? size : LINE_WIDTH;
		ba_buf_puts(out, "    ");
		ba_text_sanitize(out, line, shown, false);
		ba_buf_puts(out, shown < size ? " ...\n" : "\n");
		line += size + (line[size] == '\n');
	}
}

static bool has_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return true;
	return false;
}

/* The build may need something that the sandbox does not show. */
static void put_hint(ba_buf *out, const ba_sandbox *box, const char *output)
{
	static const char *const network[] = {"Could not resolve host",
		"Temporary failure in name resolution", "Network is unreachable",
		"Name or service not known", "Connection refused",
		"Failed to establish a new connection", "getaddrinfo", "EAI_AGAIN",
		"unable to resolve", NULL};
	static const char *const files[] = {"Read-only file system", NULL};
	if (!box->network && has_any(output, network))
		ba_buf_puts(out,
			"  the build ran in a sandbox without network; fetch what it needs beforehand and name that folder in 'readable' of the configuration's 'sandbox', or set \"network\": true there\n");
	if (has_any(output, files))
		ba_buf_puts(out,
			"  the build ran in a sandbox, where it can write only its tree, /tmp and its home; name other folders in 'writable' of the configuration's 'sandbox'\n");
}

void ba_story_command(ba_build_job *job, size_t command, const ba_proc_result *r)
{
	const ba_build_recipe *recipe = job->recipe;
	BA_AUTO_FREE char *words = ba_shell_command(&recipe->commands[command]);
	BA_AUTO_FREE char *typed = ba_text_safe(words);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_proc_result how = *r;
	/* the whole limit, not the rest left for this command */
	how.limit_ns = recipe->timeout_ns;
	ba_buf_printf(&text, "variant '%s': the build failed: '%s' ", job->label, typed);
	ba_proc_result_text(&text, &how);
	if (r->out.len) {
		ba_buf_puts(&text, "\n  its last lines:\n");
		put_last_lines(&text, r->out.data);
	} else {
		ba_buf_puts(&text, " and printed nothing\n");
	}
	if (recipe->sandbox)
		put_hint(&text, recipe->sandbox, r->out.data);
	ba_buf_printf(&text, "  the whole log: %s", job->log_path);
	job->code = r->end == BA_PROC_TIMEOUT	       ? BA_ETIMEOUT
		    : ba_proc_result_hit_file_limit(r) ? BA_EIO
						       : BA_EBUILD;
	ba_text_own(&job->failure, ba_buf_detach(&text));
}

void ba_story_sentence(ba_build_job *job, int code, const char *sentence)
{
	job->code = code;
	ba_text_own(&job->failure, ba_xprintf("variant '%s': %s", job->label, sentence));
}

void ba_story_remarks(const ba_build_job *job, const ba_proc_result *r, const ba_log *log)
{
	if (r->left_running)
		ba_log_printf(log, BA_LOG_WARNING,
			"variant '%s': the build left %u %s running (%s); bench-against ended %s, so that the measurement is not disturbed",
			job->label, r->left_running,
			ba_plural(r->left_running, "process", "processes"), r->left_names,
			ba_plural(r->left_running, "it", "them"));
	if (r->log_dropped)
		ba_log_printf(log, BA_LOG_WARNING,
			"variant '%s': the build printed %.1f MB more than its log holds; the log has the beginning and the last lines: %s",
			job->label, (double)r->log_dropped / 1e6, job->log_path);
	if (r->log_errno)
		ba_log_printf(log, BA_LOG_WARNING, "variant '%s': the log '%s' is incomplete: %s",
			job->label, job->log_path, strerror(r->log_errno));
}
