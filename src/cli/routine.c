#include "cli/routine.h"

#include <time.h>

#include "ba_build.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/cmd.h"
#include "store/results.h"

int ba_routine_run(const ba_routine *routine, int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	ba_options_init(&o);
	int rc = ba_options_parse(
		&o, &operands, routine->page, routine->groups, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (routine->adjust)
		routine->adjust(&o);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	if (rc == 0)
		ba_routine_describe(&r, argc, argv);
	rc = rc ? rc : routine->work(&c, &operands, &r, &err);
	return rc ? ba_context_complain(&c, &err) : ba_context_end(r.exit_status);
}

void ba_routine_describe(ba_result *r, int argc, char *const *argv)
{
	char started[32];
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_time_format(started, time(NULL));
	r->schema_revision = BA_RESULTS_REVISION;
	r->tool_version = ba_xstrdup(BA_VERSION);
	r->started = ba_xstrdup(started);
	ba_buf_puts(&line, "bench-against");
	for (int i = argc && ba_command_named(argv[0]) ? 0 : 1; i < argc; i++)
		ba_buf_printf(&line, " %s", argv[i]);
	r->command_line = ba_buf_detach(&line);
	r->repository = ba_xstrdup("");
	r->config_path = ba_xstrdup("");
}
