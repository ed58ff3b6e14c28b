#include "model/environment.h"

BA_OWNS(ba_environment, e,
	BA_FREE(e->target, e->device_name, e->device_uuid, e->compute_capability, e->driver_version,
		e->cuda_version, e->pci_bus_id, e->ecc, e->mig, e->virtualization, e->host_name,
		e->cpu_model, e->kernel, e->governor, e->clocksource, e->flush),
	ba_strv_dispose(&e->warnings))

bool ba_environment_is_host(const ba_environment *e)
{
	return e->target && strcmp(e->target, "host") == 0;
}

bool ba_environment_is_fake(const ba_environment *e)
{
	return e->target && strcmp(e->target, "fake") == 0;
}

const char ba_test_driver_warning[] =
	"A test driver with a simulated clock produced these times: no GPU ran anything, so they say nothing about real code";
