#include "model/measured.h"
#include "stats/schedule.h"

BA_OWNS(ba_overlay_source, s, BA_FREE(s->from, s->label), ba_strv_dispose(&s->paths))

void ba_overlay_source_copy(ba_overlay_source *out, const ba_overlay_source *from)
{
	ba_overlay_source copy = *from;
	copy.from = ba_xstrdup(from->from);
	copy.label = ba_xstrdup(from->label);
	copy.paths = (ba_strv){0};
	ba_strv_copy(&copy.paths, &from->paths);
	ba_overlay_source_dispose(out);
	*out = copy;
}

bool ba_measured_is_combined(const ba_measured *m)
{
	return BA_ANY(m->merged, m->merged_count, x, x->design.looks > 1);
}

bool ba_measured_is_of_launches(const ba_measured *m)
{
	return BA_ALL(m->benchmarks, m->benchmark_count, x, x->kind == BA_SUITE_LAUNCHER);
}

bool ba_measured_is_of_files(const ba_measured *m)
{
	return m->engine && strcmp(m->engine, "files") == 0;
}

unsigned ba_measured_drawn_as(const ba_measured *m, const ba_samples *s)
{
	return s->origin < m->origin_count ? s->invocation - m->origins[s->origin].first
					   : s->invocation;
}

uint64_t ba_measured_seed(const ba_measured *m, const ba_samples *s)
{
	return s->origin < m->origin_count ? m->origins[s->origin].seed : m->seed;
}

size_t ba_measured_add_origin(ba_measured *m, ba_origin *o)
{
	size_t n = m->origin_count;
	m->origins = ba_xreallocarray(m->origins, n + 1, sizeof(*m->origins));
	m->origins[n] = BA_MOVE(*o);
	ba_origins_set_places(m->origins, ++m->origin_count);
	return n;
}

BA_OWNS(ba_measured_suite, s, BA_FREE(s->name, s->engine, s->engine_reason),
	BA_DISPOSE(ba_strv, &s->executes, &s->loads, &s->host, &s->kernels))

/* What to compare of kernels whose lines begin so; returns how many, or -1: one is unknown. */
static int add_kernels(ba_strv *out, const ba_strv *kernels, const char *start)
{
	int found = 0;
	for (size_t i = 0; i < kernels->count; i++) {
		const char *line = kernels->items[i];
		if (!ba_text_starts(line, start))
			continue;
		found++;
		if (ba_text_ends(line, "?"))
			return -1;
		line = strchr(line, ' ') + 1;
		ba_strv_push(out, strchr(line, ' ') + 1);
	}
	return found;
}

/* Are these two static kernels of one program with one name? Which is launched is not known. */
static bool are_mixed_up(const char *a, const char *b)
{
	size_t name = (size_t)(strrchr(b, ' ') - b);
	return *b != ' ' && strncmp(a, b, name + 1) == 0 && strcmp(a, b) != 0;
}

void ba_measured_suite_digest(
	char out[65], const ba_measured_suite *s, size_t variant, const ba_strv *names)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_AUTO_FREE char *start = ba_xprintf("%zu ", variant);
	ba_sha256 sum;
	bool known = *s->host.items[variant];
	if (!names)
		known &= add_kernels(&lines, &s->kernels, start) >= 0;
	for (size_t i = 0; names && i < names->count; i++) {
		BA_AUTO_FREE char *named = ba_xprintf("%s%s ", start, names->items[i]);
		known &= add_kernels(&lines, &s->kernels, named) > 0;
	}
	ba_strv_sort(&lines);
	ba_sha256_init(&sum);
	ba_sha256_add_string(&sum, s->host.items[variant]);
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.items[i], *before = i ? lines.items[i - 1] : "";
		known &= !are_mixed_up(before, line);
		if (strcmp(before, line) != 0)
			ba_sha256_add_string(&sum, line);
	}
	ba_sha256_hex(&sum, out);
	if (!known)
		*out = '\0';
}

static ba_measured_suite *suite_named(const ba_measured *m, const char *name)
{
	return BA_FIND(m->suites, m->suite_count, x, strcmp(x->name, name) == 0);
}

bool ba_measured_has_environments(const ba_measured *m)
{
	return BA_ANY(m->variants, m->variant_count, v, v->environment.parts.count);
}

ba_measured_suite *ba_measured_add_suite(ba_measured *m, const char *name, ba_suite_kind kind)
{
	ba_measured_suite *known = suite_named(m, name);
	if (known)
		return known;
	ba_measured_suite *s = BA_APPEND(m->suites, m->suite_count);
	*s = (ba_measured_suite){.name = ba_xstrdup(name),
		.kind = kind,
		.engine = ba_xstrdup(""),
		.engine_reason = ba_xstrdup("")};
	return s;
}

void ba_measured_sum_up_engines(ba_measured *m)
{
	BA_AUTO(ba_buf) ba_buf reason = BA_BUF_INIT;
	bool same = true;
	BA_EACH (const ba_measured_suite, s, m->suites, m->suite_count) {
		same = same && strcmp(s->engine, m->suites[0].engine) == 0;
		if (!*s->engine_reason)
			continue;
		ba_buf_puts(&reason, reason.len ? "; " : "");
		if (m->suite_count > 1)
			ba_buf_printf(&reason, "%s: ", s->name);
		ba_buf_puts(&reason, s->engine_reason);
	}
	BA_FREE(m->engine, m->engine_reason);
	m->engine = ba_xstrdup(!same ? "mixed" : m->suite_count ? m->suites[0].engine : "");
	m->engine_reason = ba_buf_detach(&reason);
}

ba_measured_suite *ba_measured_suite_of(const ba_measured *m, const ba_benchmark *b)
{
	return b->suite ? suite_named(m, b->suite) : NULL;
}

const char *ba_measured_engine(const ba_measured *m, size_t benchmark)
{
	const ba_measured_suite *s = ba_measured_suite_of(m, &m->benchmarks[benchmark]);
	return s ? s->engine : m->engine;
}

BA_OWNS(ba_measured, m,
	BA_FREE(m->tool_version, m->started, m->engine, m->engine_reason, m->command_line,
		m->repository, m->config_path),
	BA_FREE_ARRAY(ba_measured_suite_dispose, m->suites, m->suite_count),
	BA_FREE_ARRAY(ba_benchmark_dispose, m->benchmarks, m->benchmark_count),
	BA_FREE_ARRAY(ba_variant_dispose, m->variants, m->variant_count),
	ba_environment_dispose(&m->env),
	BA_FREE_ARRAY(ba_origin_dispose, m->origins, m->origin_count),
	BA_FREE_ARRAY(ba_merged_run_dispose, m->merged, m->merged_count),
	ba_strv_dispose(&m->notes), ba_overlay_source_dispose(&m->overlay))

void ba_order_fill(ba_samples *s, const uint8_t *present, size_t n, uint8_t floor,
	uint64_t run_seed, const char *benchmark)
{
	uint8_t row[2 * BA_PARTICIPANTS_MAX];
	size_t visits = s->positions - s->has_floor;
	BA_REQUIRE(n <= BA_PARTICIPANTS_MAX && (visits == n || visits == 2 * n));
	for (unsigned b = 0; b < s->blocks; b++) {
		uint8_t *order = s->order + (size_t)b * s->positions;
		ba_schedule_block(row, n, run_seed, benchmark, s->invocation, b);
		for (size_t k = 0; k < visits; k++)
			order[k >= n ? k + s->has_floor : k] = present[row[k]];
		if (s->has_floor)
			order[n] = floor;
	}
}

const char *ba_order_key(const ba_benchmark *b)
{
	return b->kind == BA_SUITE_COMMAND ? b->suite : b->id;
}

void ba_order_of_programs(
	uint8_t *order, size_t n, uint64_t run_seed, const char *suite, unsigned invocation)
{
	uint8_t row[2 * BA_PARTICIPANTS_MAX];
	BA_REQUIRE(n <= BA_PARTICIPANTS_MAX);
	ba_schedule_block(row, n, run_seed, suite, invocation, 0);
	for (size_t k = 0; k < n; k++)
		order[k] = row[k];
}
