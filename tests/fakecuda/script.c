#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 65536

/* key, least value, greatest value */
/* clang-format off */
#define NUMBERS(X)                                                                        \
	X(launch_ns, 0, INT64_C(1000000000))                                              \
	X(drain_ns, 0, INT64_C(1000000000))                                               \
	X(depth, 1, DEPTH_MOST)                                                           \
	X(sync_ns, 0, INT64_C(1000000000))                                                \
	X(call_ns, 0, INT64_C(1000000000))                                                \
	X(clock_ns, 0, INT64_C(1000000))                                                  \
	X(event_tick_ns, 1, INT64_C(1000000))                                             \
	X(jitter_ns, 0, INT64_C(1000000000))                                              \
	X(seed, 0, INT64_MAX)                                                             \
	X(idle_mhz, 0, 100000)                                                            \
	X(mhz, 0, 100000)                                                                 \
	X(ramp_ms, 0, 100000)                                                             \
	X(l2_sticky, 0, 1)                                                                \
	X(memory, 0, INT64_MAX)                                                           \
	X(mps, 0, 1)                                                                      \
	X(apart, 0, 1)                                                                    \
	X(devices, 1, 10)
/* clang-format on */

static const script defaults = {
	.launch_ns = 1500,
	.drain_ns = 900,
	.depth = 1024,
	.sync_ns = 2000,
	.call_ns = 50,
	.clock_ns = 25,
	.event_tick_ns = 32,
	.seed = 1,
	.idle_mhz = 345,
	.mhz = 1980,
	.ramp_ms = 60,
	.memory = INT64_C(80) << 30,
	.devices = 1,
};

static bool read_number(int64_t *out, const char *text, int64_t least, int64_t most)
{
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (errno || end == text || *end || value < least || value > most)
		return false;
	*out = value;
	return true;
}

/* "cuLaunchKernel@13:719", "cuInit:100", "cuCtxSynchronize@2" */
static bool read_event(script *s, script_deed deed, char *text)
{
	if (s->event_count == sizeof(s->events) / sizeof(s->events[0]))
		return false;
	script_event e = {.deed = deed};
	int64_t number = 0;
	char *result = strchr(text, ':');
	if ((deed == DEED_FAIL) != (result != NULL))
		return false;
	if (result) {
		*result++ = '\0';
		if (!read_number(&number, result, 1, 999))
			return false;
		e.result = (int)number;
	}
	char *at = strchr(text, '@');
	if (at) {
		*at++ = '\0';
		if (!read_number(&number, at, 1, INT64_MAX))
			return false;
		e.at = (uint64_t)number;
	}
	if (strncmp(text, "cu", 2) != 0 || strlen(text) >= sizeof(e.call))
		return false;
	memcpy(e.call, text, strlen(text) + 1);
	s->events[s->event_count++] = e;
	return true;
}

static bool read_pair(script *s, const char *key, char *value)
{
#define NUMBER(field, least, most) \
	if (!strcmp(key, #field))  \
		return read_number(&s->field, value, least, most);
	NUMBERS(NUMBER)
#undef NUMBER
	if (!strcmp(key, "name")) {
		snprintf(s->name, sizeof(s->name), "%s", value);
		return true;
	}
	if (!strcmp(key, "lost")) {
		snprintf(s->lost, sizeof(s->lost), "%s", value);
		return true;
	}
	if (!strcmp(key, "fail"))
		return read_event(s, DEED_FAIL, value);
	if (!strcmp(key, "hang"))
		return read_event(s, DEED_HANG, value);
	if (!strcmp(key, "crash"))
		return read_event(s, DEED_CRASH, value);
	return false;
}

bool script_parse(script *out, const char *text, char *problem, size_t size)
{
	script s = defaults;
	char *copy = strdup(text ? text : "");
	char *save;
	bool good = copy != NULL;
	for (char *pair = strtok_r(copy, ";", &save); pair && good;
		pair = strtok_r(NULL, ";", &save)) {
		char shown[128];
		snprintf(shown, sizeof(shown), "%s", pair);
		char *value = strchr(pair, '=');
		if (value)
			*value++ = '\0';
		good = value && read_pair(&s, pair, value);
		if (!good)
			snprintf(problem, size, "BA_FAKE_CUDA: '%s' is not understood", shown);
	}
	free(copy);
	if (good)
		*out = s;
	return good;
}
