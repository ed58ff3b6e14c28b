#include <stdarg.h>

#include "common.h"

const char *lcfg_error_name(int code)
{
	static const char *const names[] = {"ok", "invalid", "memory", "driver", "nvrtc", "compile",
		"no-config", "not-compiling", "signature", "context", "deadlock", "unsupported",
		"cache"};
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
	int n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	/* what does not fit is not missing in silence */
	if (n >= (int)sizeof(err->text)) {
		char cut[128];
		int size = snprintf(cut, sizeof(cut),
			"\n[%d bytes in all; lcfg_dispatcher_log gives a compiler's log in full]",
			n);
		memcpy(err->text + sizeof(err->text) - 1 - (size_t)size, cut, (size_t)size);
	}
	err->code = code;
	err->cuda = 0;
	return code;
}
