/* Measures the invocations, then applies the gate. */
#include <string.h>

#include "gate/account.h"
#include "gate/status.h"
#include "run/calibration.h"
#include "run/services.h"

/* What this run can be held to: with --suite, other suites are not its business. */
static void applicable(ba_strv *out, const ba_measure_plan *p, const ba_job_request *q)
{
	for (size_t i = 0; p->expected && i < p->expected->count; i++) {
		const char *pattern = p->expected->items[i];
		bool other = false;
		for (size_t k = 0; q->suite && k < p->config->suite_count; k++) {
			const char *name = p->config->suites[k].name;
			size_t length = strlen(name);
			other = other || (strcmp(name, q->suite) != 0 &&
						 strncmp(pattern, name, length) == 0 &&
						 pattern[length] == '/');
		}
		if (!other)
			ba_strv_push(out, pattern);
	}
}

int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_error *err)
{
	BA_AUTO(ba_known_noise) ba_known_noise noise = {0};
	bool calibrating = p->request->purpose == BA_JOB_CALIBRATE;
	int rc = calibrating ? 0 : ba_known_noise_foresee(&noise, p, r, err);
	if (rc)
		return rc;
	ba_job_phase(p->services, "measuring");
	rc = ba_run_measure(r, &p->spec, p->has, err);
	ba_job_quiet(p->services);
	if (rc == 0)
		ba_known_noise_compare(&noise, &p->request->suggest, r);
	return rc;
}

void ba_measure_judge(const ba_measure_plan *p, ba_result *r)
{
	const volatile sig_atomic_t *stop = p->services->stop;
	BA_AUTO(ba_strv) ba_strv expected = {0};
	applicable(&expected, p, p->request);
	const ba_gate_policy policy = {.expected = &expected,
		.list_command = p->request->suggest.expected,
		.strict = ba_measure_is_strict(p),
		.undecided_fails = p->request->on_inconclusive == 1};
	ba_gate_set_status(r, &policy);
	ba_gate_account(&r->notes, r, &policy);
	if (r->interrupted && stop && *stop) {
		r->signal = *stop;
		r->exit_status = 128 + r->signal;
	}
}
