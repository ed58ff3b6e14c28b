/* The arguments of bubblewrap. */

#include "sandbox/inside.h"

/* system folders that are visible completely */
static const char *const system_dirs[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/libx32", "/nix/store", "/gnu/store", "/run/current-system", "/run/opengl-driver"};
#define OPT "/opt"
#define USER "1000" /* of root, inside */

/* in /etc: what programs need to start, and settings of compilers */
static const char *const etc[] = {"alternatives", "bash.bashrc", "ca-certificates",
	"ca-certificates.conf", "clang", "crypto-policies", "cufile.json", "debian_version",
	"fonts", "group", "host.conf", "hosts", "inputrc", "ld.so.cache", "ld.so.conf",
	"ld.so.conf.d", "locale.alias", "locale.conf", "localtime", "lsb-release", "magic",
	"mime.types", "networks", "nsswitch.conf", "nvidia", "OpenCL", "os-release", "passwd",
	"perl", "pki/ca-trust", "pki/tls/certs", "protocols", "redhat-release", "resolv.conf",
	"rpc", "services", "shells", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone",
	"vulkan", "xdg"};

/* in /sys: the number of processors, and the places of devices */
static const char *const sysfs[] = {"/sys/devices/system/cpu", "/sys/devices/system/node"};
static const char *const sysfs_gpu[] = {
	"/sys/bus/pci", "/sys/class/drm", "/sys/module/nvidia", "/sys/module/nvidia_uvm"};

/* prefixes of names in /dev */
static const char *const gpu_devices[] = {"nvidia", "nvhost", "nvmap", "nvgpu"};

/* readable only for root, which a root user still is in a namespace */
static const char *const hidden[] = {"/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/kpagecount",
	"/proc/kpageflags", "/proc/kpagecgroup", "/proc/timer_list", "/proc/vmallocinfo",
	"/proc/slabinfo"};

/* settings in /proc that root may change, besides its processes */
static const char *const settings[] = {"/proc/acpi", "/proc/bus", "/proc/fs", "/proc/irq",
	"/proc/mtrr", "/proc/pressure", "/proc/scsi", "/proc/sys", "/proc/sysrq-trigger",
	"/proc/tty"};

static void put(ba_strv *out, const char *a, const char *b, const char *c)
{
	ba_strv_push(out, a);
	if (b)
		ba_strv_push(out, b);
	if (c)
		ba_strv_push(out, c);
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void put_system_dir(ba_strv *out, const char *dir)
{
	char target[PATH_MAX];
	ssize_t n = readlink(dir, target, sizeof(target) - 1);
	if (n > 0) { /* /lib is usr/lib */
		target[n] = '\0';
		put(out, "--symlink", target, dir);
	} else if (exists(dir)) {
		put(out, "--ro-bind", dir, dir);
	}
}

/* Adds each entry of a folder whose name begins with one of the words, or every entry
 * if no words are given. */
static void put_entries(ba_strv *out, const char *how, const char *dir, const char *const *words,
	size_t count, bool (*fits)(const char *path))
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	if (ba_fs_names(&names, dir, NULL))
		return;
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO_FREE char *path = ba_path_join(dir, names.items[i]);
		bool wanted = !count || BA_ANY(words, count, x, ba_text_starts(names.items[i], *x));
		if (wanted && exists(path) && (!fits || fits(path)))
			put(out, how, path, path);
	}
}

/* A CI runner keeps its credentials in its folder. */
static bool is_no_runner(const char *path)
{
	static const char *const signs[] = {".credentials", ".runner"};
	for (size_t i = 0; i < BA_COUNT(signs); i++) {
		BA_AUTO_FREE char *sign = ba_path_join(path, signs[i]);
		if (exists(sign))
			return false;
	}
	return true;
}

static void put_all(ba_strv *out, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (exists(paths[i]))
			put(out, "--ro-bind", paths[i], paths[i]);
}

/* Root's files in /proc are writable for root, also in a namespace; and the memory of pid 1,
 * which has no filter, must not be written. But NVIDIA's driver has to write below
 * /proc/self. */
static void put_proc(ba_strv *out, const ba_sandbox *box)
{
	put(out, "--proc", "/proc", NULL);
	for (size_t i = 0; i < BA_COUNT(hidden); i++)
		if (exists(hidden[i]))
			put(out, "--ro-bind", "/dev/null", hidden[i]);
	if (!box->gpu) {
		put(out, "--remount-ro", "/proc", NULL);
		return;
	}
	put_all(out, settings, BA_COUNT(settings));
	put(out, "--tmpfs", "/proc/1", NULL);
	put(out, "--remount-ro", "/proc/1", NULL);
}

static void put_system(ba_strv *out, const ba_sandbox *box)
{
	for (size_t i = 0; i < BA_COUNT(system_dirs); i++)
		put_system_dir(out, system_dirs[i]);
	put_entries(out, "--ro-bind", OPT, NULL, 0, is_no_runner);
	for (size_t i = 0; i < BA_COUNT(etc); i++) {
		BA_AUTO_FREE char *path = ba_path_join("/etc", etc[i]);
		if (exists(path))
			put(out, "--ro-bind", path, path);
	}
	put_all(out, sysfs, BA_COUNT(sysfs));
	if (box->gpu) {
		put_all(out, sysfs_gpu, BA_COUNT(sysfs_gpu));
		static const char *const pci[] = {"pci"};
		put_entries(out, "--ro-bind", "/sys/devices", pci, 1, NULL);
	}
	put_proc(out, box);
	put(out, "--dev", "/dev", NULL);
	if (box->gpu)
		put_entries(out, "--dev-bind", "/dev", gpu_devices, BA_COUNT(gpu_devices), NULL);
}

/* ---- what the caller names ---- */

/* of two entries for the same place, the later kind wins */
enum kind { HIDDEN, READABLE, WRITABLE };

typedef struct place {
	const char *path;
	enum kind kind;
} place;

BA_DEFINE_ORDER(place_order, place, strcmp(a->path, b->path) ?: BA_ORDER(a->kind, b->kind))

static size_t count_of(const char *const *list)
{
	size_t n = 0;
	while (list && list[n])
		n++;
	return n;
}

/* Folders come before their content, as in the order of their text. */
static void put_named(ba_strv *out, const ba_sandbox *box)
{
	static const char *const how[] = {"--tmpfs", "--ro-bind", "--bind"};
	const char *const *const lists[] = {box->hidden, box->readable, box->writable};
	size_t n = 0;
	place *all = NULL;
	for (int k = HIDDEN; k <= WRITABLE; k++) {
		size_t more = count_of(lists[k]);
		all = ba_xreallocarray(all, n + more + 1, sizeof(*all));
		for (size_t i = 0; i < more; i++)
			if (*lists[k][i] == '/' && exists(lists[k][i]))
				all[n++] = (place){lists[k][i], (enum kind)k};
	}
	qsort(all, n, sizeof(*all), place_order);
	for (size_t i = 0; i < n; i++)
		put(out, how[all[i].kind], all[i].path, all[i].kind == HIDDEN ? NULL : all[i].path);
	free(all);
}

static bool is_of_system(const char *path)
{
	return ba_path_is_within(path, OPT) ||
	       BA_ANY(system_dirs, BA_COUNT(system_dirs), x, ba_path_is_within(path, *x));
}

static bool is_in_list(const char *path, const char *const *list)
{
	for (; list && *list; list++)
		if (ba_path_is_within(path, *list))
			return true;
	return false;
}

bool ba_sandbox_sees(const ba_sandbox *box, const char *path)
{
	return *path == '/' && (is_of_system(path) || is_in_list(path, box->readable) ||
				       is_in_list(path, box->writable));
}

char *ba_sandbox_home(const ba_sandbox *box, const char *home)
{
	home = box->home ? box->home : home;
	bool usable = home && *home == '/' && home[1] && !strstr(home, "/..") &&
		      !is_of_system(home) && !ba_path_is_within(home, "/etc") &&
		      !ba_path_is_within(home, "/proc") && !ba_path_is_within(home, "/dev") &&
		      !ba_path_is_within(home, "/sys");
	return ba_xstrdup(usable ? home : "/home");
}

void ba_sandbox_arguments(
	ba_strv *out, const ba_sandbox *box, const char *const *env, const char *dir)
{
	static const char *const always[] = {"--unshare-user", "--unshare-ipc", "--unshare-pid",
		"--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session",
		"--cap-drop", "ALL", "--hostname", "sandbox",
		/* all that bubblewrap is started with; --clearenv needs version 0.5 */
		"--unsetenv", "PATH", "--unsetenv", "BENCH_AGAINST_CHILD"};
	BA_AUTO_FREE char *filter = ba_xprintf("%d", BA_SANDBOX_FILTER_FD);
	BA_AUTO_FREE char *home = ba_sandbox_home(box, ba_env_find(env, "HOME"));
	for (size_t i = 0; i < BA_COUNT(always); i++)
		ba_strv_push(out, always[i]);
	if (!box->network)
		ba_strv_push(out, "--unshare-net");
	/* a program that thinks it is root would fail: tar would change owners */
	if (geteuid() == 0) {
		put(out, "--uid", USER, NULL);
		put(out, "--gid", USER, NULL);
	}
	put(out, "--seccomp", filter, NULL);
	for (; *env; env++) {
		BA_AUTO_FREE char *name = ba_xstrndup(*env, strcspn(*env, "="));
		put(out, "--setenv", name, *env + strlen(name) + 1);
	}
	put_system(out, box);
	if (box->tmp)
		put(out, "--bind", box->tmp, "/tmp");
	else
		put(out, "--tmpfs", "/tmp", NULL);
	put(out, "--dir", "/var", NULL);
	put(out, "--symlink", "/tmp", "/var/tmp");
	put(out, "--dir", "/run", NULL);
	if (strcmp(home, "/tmp") != 0)
		put(out, "--tmpfs", home, NULL);
	put_named(out, box);
	put(out, "--remount-ro", "/", NULL);
	put(out, "--chdir", dir ? dir : "/", NULL);
}
