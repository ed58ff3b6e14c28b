/*
 * The exchange: a directory through which a coordinator and its members talk. The
 * coordinator resolves, builds and decides; members measure. They may be processes of
 * one host or of several that share a file system.
 *
 *     plan.json             what is measured; written once, before members start
 *     orders.json           which invocations each member measures; replaced as a whole
 *     members/ID.json       who a member is, and why it left; replaced as a whole
 *     work/ID.jsonl         the invocation that a member measures now, a journal
 *     done/E-NNNNNN.jsonl   invocation NNNNNN of epoch E, whole; never changes
 *
 * Who writes what: plan and orders are the coordinator's, the rest is the members'. So
 * no file has two writers, and there are no locks.
 *
 * Numbers of invocations are those of the run: the schedule follows from the seed and
 * the number. A number belongs to the member whose orders have it. When a member is
 * gone, the coordinator gives its numbers to others. The first of two that measured one
 * number wins (link(2)), so nothing counts twice. The coordinator takes invocations in
 * the order of their numbers, so the verdict depends on the samples alone.
 *
 * An epoch ends when the engine of a suite is changed and the run begins again. What
 * was measured before does not count.
 */
#pragma once

#include "store/journal.h"

/* Makes the directory (0700) with its folders; BA_EIO if it exists. */
int ba_exchange_create(const char *dir, ba_error *err);
/* BA_ENOTFOUND: there is no exchange, or its coordinator has removed it. BA_EIO: it is
 * another user's, or other users can write to it. */
int ba_exchange_check(const char *dir, ba_error *err);

/* ---- orders.json ---- */

/* One member's. */
typedef struct ba_order {
	char *member;	   /* its id */
	bool end;	   /* measure nothing more, and leave */
	uint64_t *numbers; /* numbers to measure, in this order, without completed ones */
	size_t count;
} ba_order;

typedef struct ba_orders {
	bool end; /* for all members, including those that it does not name */
	unsigned epoch;
	unsigned looks; /* that were made */
	/* for each benchmark '1' if it is measured, else '0'; never NULL once read */
	char *open;
	ba_strv split; /* suites whose engine is "split" from now on */
	ba_strv busy;  /* "HOST CPU": processors that members measure on */
	ba_order *members;
	size_t member_count;
} ba_orders;

BA_DECLARE_DISPOSE(ba_orders)
/* The orders of one member; NULL: it is not named. */
const ba_order *ba_orders_of(const ba_orders *o, const char *member);

int ba_exchange_write_orders(const char *dir, const ba_orders *o, ba_error *err);
/* *out is zeroed. BA_ENOTFOUND: none were written, or the exchange is gone. */
int ba_exchange_read_orders(ba_orders *out, const char *dir, ba_error *err);
/* Changes with each new file; 0: there is none. Cheap to call often. */
uint64_t ba_exchange_orders_version(const char *dir);

/* ---- members/ID.json ---- */

/* What a member reports about itself. */
typedef struct ba_member {
	char *id; /* its file's name: letters, digits and "._-", as in "gpu0", "123_4" */
	/* its origin, and in `left` why it left; its seed is the run's */
	ba_origin origin;
	/* it does not fit this run (another GPU model, other builds): `left` says why */
	bool misfit;
	/* its file cannot be read: `left` names it and says why; the rest is empty */
	bool damaged;
	int cpu; /* the processor that it measures on; negative: none reserved */
	int64_t pid;
	uint64_t beat; /* counts up while it lives, between benchmarks */
} ba_member;

BA_DECLARE_DISPOSE(ba_member)

BA_LIST(ba_member_list, ba_member); /* by id */

BA_DECLARE_DISPOSE(ba_member_list)

int ba_exchange_write_member(const char *dir, const ba_member *m, ba_error *err);
/* *out is zeroed. Members without a file are missing; those with a damaged file are there. */
int ba_exchange_read_members(ba_member_list *out, const char *dir, ba_error *err);

/* ---- invocations ---- */

/* For a member: where it writes the journal of one invocation. Caller frees. */
char *ba_exchange_work_path(const char *dir, const char *member);
/* Publishes the file, which must be complete, as the invocation. *taken (may be NULL):
 * another member was first, and this one does not count. */
int ba_exchange_publish(const char *dir, const char *member, unsigned epoch, uint64_t number,
	bool *taken, ba_error *err);

/* For the coordinator. */
bool ba_exchange_has(const char *dir, unsigned epoch, uint64_t number);
/* Reads an invocation: its content has exactly this one. *out is zeroed. BA_ENOTFOUND:
 * it is not done. BA_EDATA: it is damaged or incomplete. */
int ba_exchange_take(
	ba_journal_content *out, const char *dir, unsigned epoch, uint64_t number, ba_error *err);
/* Removes the invocation, so that its number is measured again. */
int ba_exchange_drop(const char *dir, unsigned epoch, uint64_t number, ba_error *err);

/* ---- plan.json ---- */

typedef struct ba_planned_variant {
	ba_variant variant; /* built */
	char *failure;	    /* why the variant was not built, or NULL */
} ba_planned_variant;

/* What a coordinator tells its members once, before they start: they measure its trees by its
 * configuration, whatever changes in the repository since. */
typedef struct ba_exchange_plan {
	ba_strv argv;	 /* command line of the run, as in a journal */
	char *directory; /* directory in which the run was started */
	char *repository, *started;
	uint64_t seed;
	char *host_name;   /* of the coordinator */
	char *device_name; /* every member's GPU must be of this model; "": not checked */
	char *config_name, *config_text;
	ba_planned_variant *variants;
	size_t variant_count;
	/* values that must be equal for samples to belong to one run */
	ba_fingerprint terms;
} ba_exchange_plan;

BA_DECLARE_DISPOSE(ba_exchange_plan)

int ba_exchange_plan_write(const char *dir, const ba_exchange_plan *p, ba_error *err);
/* *out is zeroed. BA_EDATA also if another version of the tool wrote it. */
int ba_exchange_plan_read(ba_exchange_plan *out, const char *dir, ba_error *err);
