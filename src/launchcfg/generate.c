/* Calls a generator, and answers its questions while it runs. */
#include <stdarg.h>

#include "dispatcher.h"
#include "state.h"

#define SOURCE_LIMIT (256u << 20)

static bool reserve(lcfg_source *s, size_t extra)
{
	size_t needed = s->size + extra + 1;
	if (needed > SOURCE_LIMIT)
		s->failed = true;
	if (s->failed || needed <= s->capacity)
		return !s->failed;
	size_t capacity = needed * 2;
	char *text = realloc(s->text, capacity);
	s->failed = !text;
	if (text) {
		s->text = text;
		s->capacity = capacity;
	}
	return !s->failed;
}

int lcfg_emit(lcfg_source *out, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !reserve(out, (size_t)n)) {
		out->failed = true;
		return LCFG_ENOMEM;
	}
	va_start(ap, fmt);
	vsnprintf(out->text + out->size, (size_t)n + 1, fmt, ap);
	va_end(ap);
	out->size += (size_t)n;
	return 0;
}

static void leave(const lcfg_state_saved **saved)
{
	lcfg_state_compile_leave(*saved);
}

/* Calls the generator in one thread at a time, as version 1.0 promised. If it throws (C++),
 * `leave` runs and the lock is given back as well. */
static int call_generator(lcfg_source *text, const lcfg_generation *what,
	const lcfg_state_saved *saved, lcfg_error *err)
{
	const lcfg_state_saved *inside __attribute__((cleanup(leave), unused)) = saved;
	lcfg_dispatcher *d = what->dispatcher;
	LCFG_HOLD(&d->generator_lock);
	return d->desc.generate(text, what, err);
}

static int run_generator(lcfg_source *text, lcfg_frame *frame, lcfg_signature sig, lcfg_error *err)
{
	lcfg_dispatcher *d = frame->dispatcher;
	lcfg_generation what = {d, sig, d->desc.generate_data};
	lcfg_state_saved saved;
	if (lcfg_state_compile_enter(&saved, frame))
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	if (err)
		err->code = 0;
	int rc = call_generator(text, &what, &saved, err);
	if (rc && err && err->code != rc)
		return lcfg_fail(err, rc, "the generator of '%s' returned %d", d->desc.name, rc);
	if (rc && err) {
		lcfg_error inner = *err;
		lcfg_fail(err, rc, "the generator of '%s': %s", d->desc.name, inner.text);
	}
	return rc;
}

static void free_source(lcfg_source *source)
{
	free(source->text);
}

int lcfg_generate(char **text, bool *sensitive, lcfg_dispatcher *d, const lcfg_config *config,
	lcfg_signature sig, lcfg_error *err)
{
	lcfg_source source __attribute__((cleanup(free_source))) = {0};
	lcfg_frame frame = {.dispatcher = d, .config = config};
	int rc = run_generator(&source, &frame, sig, err);
	if (rc == 0 && (source.failed || !source.text))
		rc = lcfg_fail(err, source.failed ? LCFG_ENOMEM : LCFG_ECOMPILE,
			source.failed ? "out of memory for the source of '%s'"
				      : "the generator of '%s' wrote nothing",
			d->desc.name);
	/* code made without a config must not pass for code that needs none */
	if (rc == 0 && frame.sensitive && !config)
		rc = lcfg_fail(err, LCFG_ENOCONFIG,
			"the generator of '%s' reads the launch config: no launch config set for this thread; launch it, or use lcfg_peek_config",
			d->desc.name);
	if (rc)
		return rc;
	*text = source.text;
	source.text = NULL;
	*sensitive = frame.sensitive;
	return 0;
}

const lcfg_config *lcfg_peek_config(void)
{
	return lcfg_state_config();
}

const lcfg_config *lcfg_current_config(void)
{
	lcfg_frame *frame = lcfg_state_frame();
	if (frame)
		frame->sensitive = true;
	return lcfg_state_config();
}

int lcfg_ensure_current_config(const lcfg_config **out, lcfg_error *err)
{
	const lcfg_config *config = lcfg_current_config();
	if (!config)
		return lcfg_fail(err, LCFG_ENOCONFIG, "no launch config set for this thread%s",
			strcmp(lcfg_state_name(), "baseline") == 0
				? ": this build (baseline) keeps none"
				: "");
	*out = config;
	return 0;
}

const lcfg_args *lcfg_current_args(void)
{
	return lcfg_state_args();
}

int lcfg_mark_sensitive(lcfg_dispatcher *dispatcher, lcfg_error *err)
{
	lcfg_frame *frame = lcfg_state_frame();
	const char *name = dispatcher ? dispatcher->desc.name : "(NULL)";
	if (!frame || frame->dispatcher != dispatcher)
		return lcfg_fail(err, LCFG_ENOTCOMPILING,
			"'%s' is not being compiled in this thread: mark it from inside its generator",
			name);
	if (!frame->config)
		return lcfg_fail(err, LCFG_ENOTCOMPILING,
			"'%s' is being compiled ahead of time, not by a launch: no launch config set for this thread",
			name);
	frame->sensitive = true;
	return 0;
}

static _Thread_local lcfg_capture *captures;

void lcfg_capture_begin(lcfg_capture *capture, const lcfg_dispatcher *dispatcher)
{
	*capture = (lcfg_capture){.dispatcher = dispatcher, .outer = captures};
	captures = capture;
}

void lcfg_capture_cleanup(lcfg_capture *capture)
{
	for (lcfg_capture **at = &captures; *at; at = &(*at)->outer) {
		if (*at == capture) {
			*at = capture->outer;
			return;
		}
	}
}

const lcfg_shape *lcfg_capture_end(lcfg_capture *capture)
{
	lcfg_capture_cleanup(capture);
	return capture->captured ? &capture->shape : NULL;
}

void lcfg_capture_note(const lcfg_dispatcher *dispatcher, const lcfg_config *config)
{
	for (lcfg_capture *c = config ? captures : NULL; c; c = c->outer) {
		if (c->dispatcher != dispatcher)
			continue;
		c->shape = config->shape;
		c->captured = 1;
	}
}
