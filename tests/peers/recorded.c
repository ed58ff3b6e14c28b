/*
 * The peers on a recorded trace of two builds of identical code. A sequential tool
 * would have measured A in one process and B in a later one, so A's readings of an
 * invocation are compared with B's of the next; a paired tool sees both of one
 * invocation. The further columns say what measuring longer does for them: the
 * readings of several processes a side, one after another. Ours takes all invocations
 * of a run. Whatever is flagged is a false alarm.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"
#include "peers.h"
#include "stats/quantile.h"
#include "stats/replay.h"
#include "store/trace_csv.h"

/* one variant's readings in one invocation of one benchmark, as they come */
typedef struct series {
	char *benchmark, *variant;
	uint32_t invocation;
	double *ns;
	size_t count, capacity;
} series;

typedef struct recording {
	series *items;
	size_t count, capacity;
	ba_replay *replay;
} recording;

static void recording_dispose(recording *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->items[i].benchmark);
		free(r->items[i].variant);
		free(r->items[i].ns);
	}
	free(r->items);
	ba_replay_free(r->replay);
}
BA_DEFINE_AUTO(recording, recording_dispose)

static bool holds(const series *s, const ba_trace_row *row)
{
	return s->invocation == row->invocation && strcmp(s->variant, row->variant) == 0 &&
	       strcmp(s->benchmark, row->benchmark) == 0;
}

/* the visits of two variants alternate, so the series is among the last few */
static series *series_of(recording *r, const ba_trace_row *row)
{
	for (size_t back = 1; back <= r->count && back <= 8; back++)
		if (holds(&r->items[r->count - back], row))
			return &r->items[r->count - back];
	r->items = BA_GROW(r->items, &r->capacity, r->count + 1);
	r->items[r->count] = (series){.benchmark = ba_xstrdup(row->benchmark),
		.variant = ba_xstrdup(row->variant),
		.invocation = row->invocation};
	return &r->items[r->count++];
}

static int record(void *data, const ba_trace_row *row, ba_error *err)
{
	recording *r = data;
	series *s = series_of(r, row);

	s->ns = BA_GROW(s->ns, &s->capacity, s->count + 1);
	s->ns[s->count++] = row->ns;
	return ba_replay_row(r->replay, row, err);
}

/* what the tool's samples would be: means of equal runs of readings */
static size_t samples_of(double *out, const series *s, const peer *p)
{
	size_t wanted = p->launches > 1 ? p->samples : s->count;
	size_t n = wanted < s->count ? wanted : s->count, each = s->count / n;

	for (size_t i = 0; i < n; i++)
		out[i] = ba_mean(s->ns + i * each, each);
	return n;
}

/* ---- several processes a side ---- */

enum { POOLS = 5 }; /* 1, 2, 4, 8, 16 processes */

/* runs of one benchmark one after another, as tests/gpu/study.sh names them, are one
 * sequence of processes */
static size_t stem_of(const char *benchmark)
{
	const char *run = strstr(benchmark, ";run=");

	return run ? (size_t)(run - benchmark) : strlen(benchmark);
}

static bool same_stem(const series *a, const series *b)
{
	size_t n = stem_of(a->benchmark);

	return n == stem_of(b->benchmark) && strncmp(a->benchmark, b->benchmark, n) == 0;
}

/* the processes of one variant of one benchmark, in the order in which they ran */
typedef struct processes {
	const series **items;
	size_t count;
} processes;

static processes processes_of(const recording *r, const series *like, const char *variant)
{
	processes p = {ba_xreallocarray(NULL, r->count, sizeof(*p.items)), 0};

	for (size_t i = 0; i < r->count; i++)
		if (same_stem(&r->items[i], like) && strcmp(r->items[i].variant, variant) == 0)
			p.items[p.count++] = &r->items[i];
	return p;
}

static size_t pool(double *out, const processes *p, size_t from, size_t n, const peer *rule)
{
	size_t count = 0;

	for (size_t i = from; i < from + n; i++)
		count += samples_of(out + count, p->items[i], rule);
	return count;
}

static size_t readings(const processes *p, size_t from, size_t n)
{
	size_t count = 0;

	for (size_t i = from; i < from + n; i++)
		count += p->items[i]->count;
	return count;
}

typedef struct share {
	size_t flagged, trials;
} share;

static void try_pools(
	share *out, const processes *a, const processes *b, size_t n, const peer *rule)
{
	size_t apart = rule->paired ? 0 : n, both = a->count < b->count ? a->count : b->count;

	for (size_t i = 0; i + apart + n <= both; i += apart + n) {
		BA_AUTO_FREE double *x = ba_xreallocarray(NULL, readings(a, i, n), sizeof(*x));
		BA_AUTO_FREE double *y =
			ba_xreallocarray(NULL, readings(b, i + apart, n), sizeof(*y));
		size_t nx = pool(x, a, i, n, rule), ny = pool(y, b, i + apart, n, rule);

		out->trials++;
		out->flagged += rule->decide(x, nx, y, ny) != 0;
	}
}

static bool is_first(const recording *r, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_stem(&r->items[i], &r->items[at]))
			return false;
	return true;
}

static void print_pooled(const recording *r, const ba_trace_variants *v)
{
	BA_AUTO_FREE share *shares = ba_xcalloc(peer_count * POOLS, sizeof(*shares));

	for (size_t i = 0; i < r->count; i++) {
		if (!is_first(r, i))
			continue;
		processes a = processes_of(r, &r->items[i], v->names[v->baseline]);
		processes b = processes_of(r, &r->items[i], v->names[v->baseline == 0]);

		for (size_t j = 0; j < peer_count * POOLS; j++)
			try_pools(&shares[j], &a, &b, (size_t)1 << j % POOLS, &peers[j / POOLS]);
		free(a.items);
		free(b.items);
	}
	printf("| rule, processes a side: | 1 | 2 | 4 | 8 | 16 |\n"
	       "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < peer_count; i++) {
		printf("| %s |", peers[i].name);
		for (size_t j = 0; j < POOLS; j++) {
			const share *s = &shares[i * POOLS + j];
			if (s->trials)
				printf(" %.3f of %zu |", (double)s->flagged / (double)s->trials,
					s->trials);
			else
				printf(" |");
		}
		printf("\n");
	}
}

static int print_own(recording *r, ba_error *err)
{
	ba_replay_rule rule = {.policy = BA_POLICY_DEFAULT, .theta_reg = 0.01, .theta_imp = 0.01};
	size_t n = ba_replay_count(r->replay), flagged = 0, unchanged = 0;

	rule.family = n > 100 ? n : 100;
	int rc = ba_replay_decide(r->replay, &rule, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		ba_verdict v = ba_replay_at(r->replay, i).decision->verdict;

		flagged += v == BA_VERDICT_REGRESSED || v == BA_VERDICT_IMPROVED;
		unchanged += v == BA_VERDICT_UNCHANGED;
	}
	double rate = (double)flagged / (double)n;
	char text[16];

	snprintf(text, sizeof(text), "%.3f", rate);
	printf("| ours, family of %zu | %s of %zu, %zu unchanged | | | | |\n", rule.family,
		text + (rate < 0.9995), n, unchanged);
	return 0;
}

static int complain(const ba_error *err)
{
	fprintf(stderr, "peers: %s\n", err->text);
	return ba_error_exit_status(err->code);
}

int table_of_trace(const char *path)
{
	ba_replay_options options = {0};
	BA_AUTO(recording) recording r = {.replay = ba_replay_new(&options)};
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	ba_error err;

	if (fd < 0) {
		ba_fail_errno(&err, BA_ENOTFOUND, "cannot open '%s'", path);
		return complain(&err);
	}
	if (ba_trace_csv_read(NULL, fd, path, record, &r, &err) < 0 ||
		ba_replay_end(r.replay, &err) < 0)
		return complain(&err);
	if (r.count == 0) {
		fprintf(stderr, "peers: '%s' has no rows\n", path);
		return 125;
	}
	print_pooled(&r, ba_replay_variants(r.replay));
	return print_own(&r, &err) < 0 ? complain(&err) : 0;
}
