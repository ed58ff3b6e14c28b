#include "job/setup.h"

#include "proc/affinity.h"

#define SYSFS "/sys"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_DIGITS 8u

/* A core is named by its first processor. */
static unsigned first_of(const ba_cpus *core)
{
	unsigned first = 0;
	while (first < BA_CPU_MAX - 1 && !ba_cpus_has(core, first))
		first++;
	return first;
}

static char *lock_path(const ba_cpus *core, const char *cache_root)
{
	BA_AUTO(ba_buf) ba_buf boot = BA_BUF_INIT;
	if (ba_fs_read(&boot, BOOT_ID, 64, NULL) || boot.len < BOOT_DIGITS)
		ba_buf_puts(&boot, "this machine");
	return ba_xprintf(
		"%s/cores/%.*s-%u.lock", cache_root, (int)BOOT_DIGITS, boot.data, first_of(core));
}

/* The first run on a core locks it exclusively for a moment, then shares the lock with
 * runs that start there nevertheless. So a core is free when the last run has left it. */
static int claim(ba_lock *out, bool *busy, const char *path, ba_error *err)
{
	bool leaving;
	int rc = ba_lock_try(out, busy, path, false, err);
	if (rc == 0 && !*busy)
		return ba_lock_share(out, err);
	return rc ? rc : ba_lock_try(out, &leaving, path, true, err);
}

typedef struct search {
	const char *cache_root;
	ba_lock lock;
	bool busy;    /* another run uses the core */
	bool unknown; /* error says why */
	ba_error error;
} search;

static void look_at(search *s, const ba_cpus *core)
{
	BA_AUTO_FREE char *path = lock_path(core, s->cache_root);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	ba_lock_release(&s->lock);
	s->busy = false;
	int rc = ba_fs_mkdirs(dir, &s->error);
	rc = rc ? rc : claim(&s->lock, &s->busy, path, &s->error);
	s->unknown = rc != 0;
}

/* The best processor with a free core; -1: none. */
static int choose(search *s, const char *pci_bus_id)
{
	ba_cpus taken = {0}, core;
	int cpu;
	while (ba_affinity_pick(&cpu, &taken, pci_bus_id, SYSFS)) {
		ba_affinity_core(&core, (unsigned)cpu, SYSFS);
		look_at(s, &core);
		if (!s->busy)
			return cpu;
		ba_cpus_add_all(&taken, &core);
	}
	return -1;
}

void ba_cpu_lock_take(ba_cpu_lock **out, int cpu, const char *pci_bus_id, const char *cache_root)
{
	search s = {.cache_root = cache_root, .lock = BA_LOCK_NONE};
	bool asked = cpu >= 0;
	*out = NULL;
	if (!asked)
		cpu = choose(&s, pci_bus_id);
	if (cpu < 0 && !ba_affinity_pick(&cpu, NULL, pci_bus_id, SYSFS))
		return;
	if (asked || s.busy) {
		ba_cpus core;
		ba_affinity_core(&core, (unsigned)cpu, SYSFS);
		look_at(&s, &core);
	}
	ba_cpu_lock *l = ba_xcalloc(1, sizeof(*l));
	l->cpu = cpu;
	if (s.busy)
		l->shared = ba_xprintf(
			asked ? "another run measures on the core of processor %d, too, and they disturb each other — name another processor with --cpu, or run one after the other"
			      : "other runs measure on every core that this one may use; it shares processor %d, and they disturb each other — run one after the other, or allow it more processors",
			cpu);
	if (s.unknown)
		l->unlocked = ba_xstrdup(s.error.text);
	l->lock = s.lock;
	*out = l;
}

void ba_cpu_lock_free(ba_cpu_lock *l)
{
	if (!l)
		return;
	/* the last run to leave removes the file */
	if (l->lock.fd >= 0 && ba_lock_upgrade(&l->lock))
		ba_lock_remove(&l->lock, NULL);
	else
		ba_lock_release(&l->lock);
	BA_FREE(l->shared, l->unlocked, l);
}
