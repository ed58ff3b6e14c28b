/* Shared by trust_machine.c, which judges the machine, and trust.c, which judges the
 * driver and the measured values. */
#ifndef GPU_TRUST_INTERNAL_H
#define GPU_TRUST_INTERNAL_H

#include "gpu/trust.h"

#define REFUSE(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_EGPU, (remedy), __VA_ARGS__)
#define REFUSE_SIMULATED(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_ESIMULATED, (remedy), __VA_ARGS__)
#define WARN(f, id, remedy, ...) ba_trust_add((f), (id), BA_TRUST_WARN, 0, (remedy), __VA_ARGS__)
#define INFO(f, id, ...) ba_trust_add((f), (id), BA_TRUST_INFO, 0, "", __VA_ARGS__)

#define NO_GPU_NEEDED "Measure with --target host, which needs no GPU."

/* launching an empty kernel and waiting for it takes less on a GPU in this machine */
#define ROUNDTRIP_REMOTE_NS 30e3

void ba_trust_judge_simulators(ba_trust_findings *f, const ba_trust_inputs *in);
void ba_trust_judge_remoting(ba_trust_findings *f, const ba_trust_inputs *in);
void ba_trust_judge_profilers(ba_trust_findings *f, const ba_trust_inputs *in);
void ba_trust_judge_sharing(ba_trust_findings *f, const ba_trust_inputs *in);
void ba_trust_judge_machine(ba_trust_findings *f, const ba_trust_inputs *in);

#endif
