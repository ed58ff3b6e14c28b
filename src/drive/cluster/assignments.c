#include "cluster/assignments.h"

BA_OWNS(ba_assignments, r, BA_FREE_EACH(m, r->members, r->count, BA_FREE(m->id, m->numbers)),
	free(r->back))

static void put(uint64_t **list, size_t *count, size_t *capacity, uint64_t number)
{
	size_t at = *count;
	*list = BA_GROW(*list, capacity, *count + 1);
	for (; at > 0 && (*list)[at - 1] > number; at--)
		(*list)[at] = (*list)[at - 1];
	(*list)[at] = number;
	(*count)++;
}

/* Keeps the first `kept` of a member's invocations, and takes back the others. */
static void take_back(ba_assignments *r, ba_assignments_member *m, size_t kept)
{
	for (size_t i = kept; i < m->count; i++) {
		put(&r->back, &r->back_count, &r->back_capacity, m->numbers[i]);
		m->given--;
	}
	m->count = kept < m->count ? kept : m->count;
}

void ba_assignments_begin(ba_assignments *r, uint64_t first)
{
	for (size_t i = 0; i < r->count; i++)
		r->members[i].count = r->members[i].given = 0;
	r->back_count = 0;
	r->next = first;
}

static ba_assignments_member *find(ba_assignments *r, const char *id)
{
	return BA_FIND(r->members, r->count, one, strcmp(one->id, id) == 0);
}

void ba_assignments_join(ba_assignments *r, const char *id)
{
	ba_assignments_member *m = find(r, id);
	for (size_t i = 0; i < r->count; i++)
		take_back(r, &r->members[i], 1);
	if (!m) {
		m = BA_APPEND(r->members, r->count);
		*m = (ba_assignments_member){.id = ba_xstrdup(id)};
	}
	m->here = true;
}

void ba_assignments_leave(ba_assignments *r, const char *id)
{
	ba_assignments_member *m = find(r, id);
	if (!m)
		return;
	take_back(r, m, 0);
	m->here = false;
}

static bool cut(uint64_t *list, size_t *count, uint64_t number)
{
	for (size_t i = 0; i < *count; i++)
		if (list[i] == number) {
			memmove(list + i, list + i + 1, (*count - i - 1) * sizeof(*list));
			(*count)--;
			return true;
		}
	return false;
}

void ba_assignments_done(ba_assignments *r, uint64_t number)
{
	for (size_t i = 0; i < r->count; i++)
		cut(r->members[i].numbers, &r->members[i].count, number);
	cut(r->back, &r->back_count, number);
}

static ba_assignments_member *idlest(ba_assignments *r)
{
	ba_assignments_member *best = NULL;
	BA_EACH (ba_assignments_member, m, r->members, r->count)
		if (m->here && (!best || m->count < best->count ||
				       (m->count == best->count && m->given < best->given)))
			best = m;
	return best;
}

bool ba_assignments_give(ba_assignments *r, uint64_t end)
{
	bool any = false;
	for (;;) {
		ba_assignments_member *m = idlest(r);
		bool returned = r->back_count && r->back[0] < end;
		if (!m || (!returned && r->next >= end))
			return any;
		uint64_t number = returned ? r->back[0] : r->next++;
		if (returned)
			cut(r->back, &r->back_count, number);
		put(&m->numbers, &m->count, &m->capacity, number);
		m->given++;
		any = true;
	}
}

size_t ba_assignments_here(const ba_assignments *r)
{
	return BA_HOW_MANY(r->members, r->count, m, m->here);
}

void ba_assignments_put(ba_orders *o, const ba_assignments *r)
{
	o->members = ba_xcalloc(r->count + 1, sizeof(*o->members));
	BA_EACH (const ba_assignments_member, m, r->members, r->count) {
		ba_order *one = &o->members[o->member_count++];
		*one = (ba_order){.member = ba_xstrdup(m->id),
			.end = !m->here,
			.numbers = ba_xcalloc(m->count + 1, sizeof(*one->numbers)),
			.count = m->count};
		if (m->count)
			memcpy(one->numbers, m->numbers, m->count * sizeof(*m->numbers));
	}
}
