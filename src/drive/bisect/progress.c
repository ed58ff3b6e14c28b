/* Reports what a search is doing, after some seconds. */
#include <inttypes.h>

#include "base/clock.h"
#include "bisect/internal.h"

#define SAY_AFTER_NS (3 * BA_SECOND)
#define SAY_EVERY_NS (30 * BA_SECOND)

void ba_bisect_begin_doing(ba_bisect *b, char *what)
{
	ba_text_own(&b->doing, what);
	b->began_ns = ba_now_ns();
	b->said_ns = 0;
}

void ba_bisect_say_progress(ba_bisect *b)
{
	int64_t now = ba_now_ns(), seconds = (now - b->began_ns) / BA_SECOND;
	if (!b->doing || now - b->began_ns < SAY_AFTER_NS ||
		(b->said_ns && now - b->said_ns < SAY_EVERY_NS))
		return;
	b->said_ns = now;
	ba_log_printf(b->request.log, BA_LOG_INFO, "%s (%" PRId64 ":%02" PRId64 " so far)",
		b->doing, seconds / 60, seconds % 60);
}
