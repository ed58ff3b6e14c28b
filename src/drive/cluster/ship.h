/* Sites whose nodes share no directory with the submitting host (--ship): sbcast takes tool and
 * trees to a node, srun brings the members' files back (ship_near.sh, ship_far.sh). */
#pragma once

#include "model/variant.h"
#include "request/request.h"
#include "request/services.h"
#include "cluster/slurm_array.h"

/* The path of this program, which members start. Caller frees. */
int ba_ship_tool(char **out, ba_error *err);
/* Packs what members need: the folder of the tool, the built trees, the test driver. */
int ba_ship_pack(const char *tar, const ba_variant *variants, size_t count, const ba_job_request *q,
	const ba_job_services *s, ba_error *err);
/* Unpacks the files on the node of a running job. */
int ba_ship_unpack(const char *tar, const char *job, ba_error *err);
/* A task's script: it waits while the coordinator needs the node, and keep_ns longer. */
char *ba_ship_task(int64_t keep_ns);
/* Carries the exchange to and from a task's node; its job and the member's id are appended. */
int ba_ship_relay(
	ba_strv *out, const char *exchange, const char *tar, const char *directory, ba_error *err);
