#include "request/request.h"

#define DEVICES_MOST 256u
#define DEVICE_MOST 1023u
#define HANG_NS (60 * BA_SECOND)

const char *const ba_target_words[] = {"gpu", "host", "fake", NULL};
const char *const ba_gate_words[] = {"off", "on", "strict", NULL};
const char *const ba_engine_words[] = {"auto", "duet", "split", "sequential", NULL};
const char *const ba_flush_words[] = {"read", "write", NULL};
const char *const ba_explain_words[] = {"auto", "off", "changed", "all", NULL};
const char *const ba_count_words[] = {"auto", "flag", "ptrace", "hardware", NULL};

void ba_job_request_init(ba_job_request *q)
{
	*q = (ba_job_request){.suggest = {"bench-against list", "bench-against list --expected",
				      "bench-against doctor", "bench-against calibrate"},
		.least = 2,
		.most = BA_JOB_VARIANTS_MOST,
		.alpha = 0.05,
		.controls = 10,
		.hang_ns = HANG_NS,
		.repeats = -1,
		.warm_up = -1,
		.target = -1,
		.cpu = -1};
}

BA_OWNS(ba_job_request, q, BA_DISPOSE(ba_strv, &q->filters, &q->paths, &q->axes, &q->overlay))

static int fail_device(const char *list, const char *word, ba_error *err)
{
	BA_AUTO_FREE char *wrong = *word ? ba_xprintf("'%s' is not a GPU number", word)
					 : ba_xstrdup("a number is missing");
	return ba_fail(err, BA_EINVAL,
		"--device '%s': %s; it takes a number from 0 to %u, several as in 0,2, or 'all'",
		list, wrong, DEVICE_MOST);
}

int ba_job_request_devices(int **out, size_t *count, const char *list, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, list, ',');
	BA_AUTO_FREE int *devices = ba_xcalloc(words.count, sizeof(*devices));
	for (size_t i = 0; i < words.count; i++) {
		uint64_t number = 0;
		if (ba_parse_u64(&number, words.items[i], 0, DEVICE_MOST, "", NULL))
			return fail_device(list, words.items[i], err);
		for (size_t k = 0; k < i; k++)
			if (devices[k] == (int)number)
				return ba_fail(
					err, BA_EINVAL, "--device: %d appears twice", (int)number);
		devices[i] = (int)number;
	}
	if (words.count > DEVICES_MOST)
		return ba_fail(err, BA_EINVAL, "--device: at most %u devices", DEVICES_MOST);
	*out = BA_TAKE(devices);
	*count = words.count;
	return 0;
}

int ba_job_request_set_devices(ba_job_request *q, const char *text, ba_error *err)
{
	BA_AUTO_FREE int *devices = NULL;
	size_t count;
	q->devices = text;
	if (!text || strcmp(text, "all") == 0)
		return 0;
	BA_TRY(ba_job_request_devices(&devices, &count, text, err));
	q->device = devices[0];
	if (count == 1)
		q->devices = NULL;
	return 0;
}

bool ba_job_is_stopped(const ba_job_services *s)
{
	return s->stop && *s->stop;
}

bool ba_job_stopped(void *services)
{
	return ba_job_is_stopped(services);
}

void ba_job_phase(const ba_job_services *s, const char *text)
{
	if (s->phase)
		s->phase(s->data, text);
}

void ba_job_progress(const ba_job_services *s, double done, const char *text)
{
	if (s->progress)
		s->progress(s->data, done, text);
}

void ba_job_quiet(const ba_job_services *s)
{
	if (s->quiet)
		s->quiet(s->data);
}

const char *ba_job_variable(const ba_job_services *s, const char *name)
{
	return ba_env_find(s->env, name);
}
