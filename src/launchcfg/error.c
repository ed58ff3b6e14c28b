#include <stdarg.h>
#include <stdio.h>

#include "launchcfg/launchcfg.h"

const char *lcfg_error_name(int code)
{
	static const char *const names[] = {"ok", "invalid", "memory", "driver",
		"nvrtc", "compile", "no-config", "not-compiling", "signature",
		"context", "deadlock", "unsupported", "cache"};
	if (code > 0 || -code >= (int)(sizeof(names) / sizeof(names[0])))
		return "user";
	return names[-code];
}

int lcfg_fail(lcfg_error *err, int code, const char *fmt, ...)
{
	if (!err)
		return code;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->code = code;
	err->cuda = 0;
	return code;
}
