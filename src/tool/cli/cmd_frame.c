#include "cli/cmd_frame.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/shell.h"
#include "cli/cmd.h"

int ba_cmd_frame_run(const ba_cmd_frame *frame, int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	ba_options_init(&o);
	int rc = ba_options_parse(&o, &operands, frame->page, frame->options, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (frame->adjust)
		frame->adjust(&o);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	BA_AUTO_FREE char *line = ba_cmd_line(argc, argv);
	if (rc == 0)
		ba_job_describe(&r, line);
	rc = rc ? rc : frame->work(&c, &operands, &r, &err);
	return rc ? ba_context_complain(&c, &err) : ba_context_end(r.decided.exit_status);
}

char *ba_cmd_line(int argc, char *const *argv)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_buf_puts(&line, "bench-against");
	for (int i = argc && ba_command_named(argv[0]) ? 0 : 1; i < argc; i++) {
		ba_buf_putc(&line, ' ');
		ba_shell_put(&line, argv[i]);
	}
	return ba_buf_detach(&line);
}
