/* The exchange's files that are replaced as a whole: orders, members and the plan. */

#include "cluster/exchange.h"
#include "ba_build.h"
#include "store/parts.h"

#define ID_MOST 100u
#define FILE_MOST ((size_t)64 << 20)
#define PLAN_MOST ((size_t)256 << 20)
#define PLAN_SCHEMA "bench-against.plan/1"

static const ba_json_options options = {.unique_keys = true, .ceiling = FILE_MOST};

/* ---- orders ---- */

BA_OWNS(ba_orders, o,
	BA_FREE_EACH(one, o->members, o->member_count, BA_FREE(one->member, one->numbers)),
	free(o->open), BA_DISPOSE(ba_strv, &o->split, &o->busy))

const ba_order *ba_orders_of(const ba_orders *o, const char *member)
{
	return BA_FIND(o->members, o->member_count, one, strcmp(one->member, member) == 0);
}

static const ba_json_field order_fields[] = {
	BA_FIELD(ba_order, member, TEXT),
	BA_FIELD(ba_order, end, BOOL),
	BA_FIELD_U64S(ba_order, numbers, count, .required = true),
};

static const ba_json_field orders_fields[] = {
	BA_FIELD(ba_orders, end, BOOL),
	BA_FIELD_EACH(ba_orders, UNSIGNED, epoch, looks),
	BA_FIELD(ba_orders, open, TEXT),
	BA_FIELD_EACH(ba_orders, LIST, split, busy),
	BA_FIELD_LIST("members", ba_orders, members, member_count, BA_FIELDS(order_fields),
		.required = true),
};

int ba_exchange_write_orders(const char *dir, const ba_orders *o, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "orders.json");
	return ba_fields_save(path, 0, BA_FIELDS(orders_fields), o, err);
}

uint64_t ba_exchange_orders_version(const char *dir)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "orders.json");
	struct stat st;
	if (stat(path, &st))
		return 0;
	return ((uint64_t)st.st_ino * 1000003 + (uint64_t)st.st_mtim.tv_nsec) * 1000003 +
	       (uint64_t)st.st_mtim.tv_sec + 1;
}

int ba_exchange_read_orders(ba_orders *out, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "orders.json");
	BA_AUTO(ba_orders) ba_orders o = {0};
	BA_TRY(ba_fields_load(&o, BA_FIELDS(orders_fields), path, &options, err));
	*out = BA_MOVE(o);
	return 0;
}

/* ---- members ---- */

BA_OWNS(ba_member, m, free(m->id), ba_origin_dispose(&m->origin))

BA_OWNS(ba_member_list, l, BA_FREE_ARRAY(ba_member_dispose, l->items, l->count))

static const ba_json_field member_fields[] = {
	BA_FIELD(ba_member, id, TEXT),
	BA_FIELD(ba_member, misfit, BOOL),
	BA_FIELD(ba_member, cpu, INT),
	BA_FIELD(ba_member, pid, I64),
	BA_FIELD(ba_member, beat, U64),
	BA_FIELD_OBJECT("origin", ba_member, origin, &ba_origin_fields, .required = true),
};

static bool is_valid_id(const char *id)
{
	size_t n = 0;
	while (isalnum((unsigned char)id[n]) || (id[n] && strchr("._-", id[n])))
		n++;
	return n > 0 && n <= ID_MOST && !id[n] && *id != '.';
}

int ba_exchange_write_member(const char *dir, const ba_member *m, ba_error *err)
{
	if (!is_valid_id(m->id))
		return ba_fail(err, BA_EINVAL,
			"'%s' cannot be a member's id: letters, digits, '.', '_' and '-'", m->id);
	BA_AUTO_FREE char *path = ba_xprintf("%s/members/%s.json", dir, m->id);
	return ba_fields_save(path, 2, BA_FIELDS(member_fields), m, err);
}

static int read_member(ba_member *out, const char *path, ba_error *err)
{
	BA_TRY(ba_fields_load(out, BA_FIELDS(member_fields), path, &options, err));
	BA_AUTO_FREE char *name = ba_xprintf("%s.json", out->id);
	if (strcmp(name, ba_path_base(path)) != 0)
		return ba_fail(err, BA_EDATA, "%s: is the file of member '%s'", path, out->id);
	return 0;
}

/* A member with a damaged file counts as one that left. */
static void note_damage(ba_member *out, const char *name, const char *why)
{
	const ba_environment nothing = {0};
	ba_member_dispose(out);
	*out = (ba_member){.damaged = true, .cpu = -1};
	out->id = ba_xstrndup(name, strlen(name) - strlen(".json"));
	BA_AUTO_FREE char *safe = ba_text_safe(out->id);
	ba_origin_init(&out->origin, safe, &nothing, 0);
	out->origin.left = ba_xprintf("its file cannot be read: %s", why);
}

int ba_exchange_read_members(ba_member_list *out, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *folder = ba_path_join(dir, "members");
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO(ba_member_list) ba_member_list l = {0};
	BA_TRY(ba_fs_names(&names, folder, err));
	l.items = ba_xcalloc(names.count + 1, sizeof(*l.items));
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO_FREE char *path = ba_path_join(folder, names.items[i]);
		ba_error why = {0};
		/* a temporary file has another name until it is renamed */
		if (!ba_text_ends(names.items[i], ".json"))
			continue;
		ba_member *m = &l.items[l.count++];
		if (read_member(m, path, &why))
			note_damage(m, names.items[i], why.text);
	}
	*out = BA_MOVE(l);
	return 0;
}

/* ---- the plan ---- */

BA_OWNS(ba_exchange_plan, p,
	BA_FREE(p->directory, p->repository, p->started, p->host_name, p->device_name,
		p->config_name, p->config_text),
	BA_FREE_EACH(one, p->variants, p->variant_count, ba_variant_dispose(&one->variant),
		free(one->failure)),
	ba_strv_dispose(&p->argv), ba_fingerprint_dispose(&p->terms))

static int drop_artefacts(void *item, ba_json_value object, ba_error *err)
{
	ba_planned_variant *p = item;
	/* the member examines them itself */
	for (size_t k = 0; k < p->variant.artefact_count; k++)
		free(p->variant.artefacts[k].path);
	p->variant.artefact_count = 0;
	return 0;
}

static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_planned_variant, failure, MAYBE),
	BA_FIELD_OBJECT(
		"variant", ba_planned_variant, variant, &ba_variant_fields, .required = true),
};
static const ba_json_fields planned = BA_FIELDS_INIT(variant_fields, .read = drop_artefacts);

static int check_plan(void *plan, ba_json_value root, ba_error *err)
{
	const ba_exchange_plan *p = plan;
	bool whole =
		p->argv.count && p->variant_count && p->terms.names.count == p->terms.values.count;
	return whole ? 0 : ba_json_fail(err, root, "is incomplete");
}

static const ba_json_field plan_rows[] = {
	BA_FIELD_SCHEMA("schema", PLAN_SCHEMA),
	BA_FIELD_SCHEMA("tool_version", BA_VERSION),
	BA_FIELD(ba_exchange_plan, argv, LIST),
	BA_FIELD_EACH(ba_exchange_plan, TEXT, directory, repository, started),
	BA_FIELD(ba_exchange_plan, seed, U64),
	BA_FIELD_EACH(ba_exchange_plan, TEXT, host_name, device_name, config_name, config_text),
	BA_FIELD_LIST("variants", ba_exchange_plan, variants, variant_count, &planned,
		.required = true, .most = BA_VARIANTS_MOST),
	BA_FIELD_AS("term_names", ba_exchange_plan, terms.names, LIST),
	BA_FIELD_AS("term_values", ba_exchange_plan, terms.values, LIST),
};
static const ba_json_fields plan_fields = BA_FIELDS_INIT(plan_rows, .read = check_plan);

int ba_exchange_plan_write(const char *dir, const ba_exchange_plan *p, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "plan.json");
	return ba_fields_save(path, 1, &plan_fields, p, err);
}

int ba_exchange_plan_read(ba_exchange_plan *out, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "plan.json");
	BA_AUTO(ba_exchange_plan) ba_exchange_plan p = {0};
	const ba_json_options large = {.unique_keys = true, .ceiling = PLAN_MOST};
	BA_TRY(ba_fields_load(&p, &plan_fields, path, &large, err));
	*out = BA_MOVE(p);
	return 0;
}
