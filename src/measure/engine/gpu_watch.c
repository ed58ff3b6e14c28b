#include "engine/gpu_watch.h"

#include "engine/link.h"

struct ba_gpu_watch {
	const ba_engine_spec *spec;
	ba_link *link; /* NULL: not started, or gone */
	bool started;
};

ba_gpu_watch *ba_gpu_watch_new(const ba_engine_spec *spec)
{
	ba_gpu_watch *w = ba_xcalloc(1, sizeof(*w));
	w->spec = spec;
	return w;
}

BA_OWNS_HANDLE(ba_gpu_watch, w, ba_link_free(w->link))

static int start(ba_gpu_watch *w, ba_error *err)
{
	const ba_link_spec link = {.worker = w->spec->worker,
		.name = "clock watch",
		.idle_limit_ns = w->spec->idle_limit_ns,
		.stop = w->spec->stop};
	w->started = true;
	return ba_link_start(&w->link, &link, err);
}

static int ask(ba_message *reply, ba_gpu_watch *w, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "watch", BA_SAY_TEXT("target", w->spec->target),
		BA_SAY_TEXT("pci_bus_id", w->spec->pci_bus_id));
	int rc = ba_link_send(w->link, &m, err);
	rc = rc ? rc : ba_link_receive(reply, w->link, err);
	if (rc == 0 && strcmp(reply->type, "watched") != 0)
		rc = ba_fail(err, BA_EPROTOCOL, "it answered '%s'", reply->type);
	return rc;
}

int ba_gpu_watch_ask(ba_gpu_watch_report *out, ba_gpu_watch *w, ba_error *err)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	*out = (ba_gpu_watch_report){.others = -1};
	if (w->started && !w->link)
		return 0;
	int rc = w->started ? 0 : start(w, err);
	rc = rc ? rc : ask(&reply, w, err);
	if (rc == BA_EINTERRUPTED)
		return rc;
	if (rc) {
		ba_log_printf(w->spec->log, BA_LOG_WARNING,
			"cannot tell whether something holds the GPU's clock down: %s", err->text);
		ba_link_free(w->link);
		w->link = NULL;
		return 0;
	}
	const char *unfit = ba_message_text(&reply, "unfit_text");
	int64_t others = -1;
	ba_message_i64(&others, &reply, "others", NULL);
	out->others = (int)others;
	out->known = ba_message_bool(&reply, "known");
	ba_message_u64(&out->events, &reply, "clock_events", NULL);
	out->unfit = *unfit ? ba_text_safe(unfit) : NULL;
	return 0;
}
