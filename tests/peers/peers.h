/* The table of peers: who compares how, and the two ways of trying it. */
#ifndef TESTS_PEERS_PEERS_H
#define TESTS_PEERS_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noise.h"
#include "rules.h"

/* how a tool of the sequential kind measures: all of A, then all of B, 30 s later */
typedef struct peer {
	const char *name;
	peer_rule *decide;
	double warmup_ms;
	size_t samples;	      /* 0: as nvbench stops */
	size_t launches;      /* a sample: their mean */
	size_t more_launches; /* each further sample has so many more (Criterion) */
	bool paired;	      /* A, B, A, B in one pair of processes (tango) */
} peer;

extern const peer peers[];
extern const size_t peer_count;

/* our rule and two that also work on invocations */
typedef enum own_kind { OWN_RULE, OWN_ONE_PAIR, OWN_T_MIXTURE, OWN_SIGN } own_kind;
typedef struct own {
	const char *name;
	own_kind kind;
	size_t family;
} own;

extern const own owns[];
extern const size_t own_count;

typedef struct outcome {
	int flag;	/* +1 regressed, -1 improved, 0 neither */
	double seconds; /* of the device, both sides, and starting processes */
} outcome;

outcome run_peer(const peer *p, const noise_model *model, double effect, uint64_t seed);
outcome run_own(const own *o, const noise_model *model, double effect, uint64_t seed);

/* false alarms on a trace of two builds of identical code; 0, or an exit status */
int table_of_trace(const char *path);

#endif
