/*
 * probe NAME=VALUE...: tries what a hostile program would, and prints a line for each:
 * "WHAT OUTCOME", where the outcome is "yes", or the name of an error. Values say what is
 * outside: a port, a process, files. What needs a value that is not given is left out, and
 * what is not named in "only=WHAT,WHAT", if that is given.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int argc;
static char **argv;

static const char *value(const char *name)
{
	size_t n = strlen(name);
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=')
			return argv[i] + n + 1;
	return NULL;
}

/* 0 or errno, as all of these */
static int result(long rc)
{
	return rc < 0 ? errno : 0;
}

static int can_open(const char *path, int flags)
{
	int fd = open(path, flags, 0600);
	int code = result(fd);
	if (fd >= 0)
		close(fd);
	return code;
}

static int can_read(const char *path)
{
	char c;
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return errno;
	int code = result(read(fd, &c, 1));
	close(fd);
	return code;
}

static int can_create(const char *dir)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/probe-%d", dir, (int)getpid());
	int code = can_open(path, O_WRONLY | O_CREAT);
	if (!code)
		unlink(path);
	return code;
}

/* ---- network ---- */

static int connect_to(uint32_t address, int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(address)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int code = fd < 0 ? errno : result(connect(fd, (struct sockaddr *)&a, sizeof(a)));
	close(fd);
	return code;
}

static int host_port(void)
{
	return connect_to(INADDR_LOOPBACK, atoi(value("port")));
}

/* a datagram "connects" without a packet: is there a way at all? */
static int internet(void)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(0x08080808)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	int code = fd < 0 ? errno : result(connect(fd, (struct sockaddr *)&a, sizeof(a)));
	close(fd);
	return code;
}

static int abstract_socket(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	const char *name = value("abstract");
	strncpy(a.sun_path + 1, name, sizeof(a.sun_path) - 2);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int code = result(connect(fd, (struct sockaddr *)&a,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))));
	close(fd);
	return code;
}

static int raw_socket(void)
{
	return result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
}

static int vsock(void)
{
	return result(socket(AF_VSOCK, SOCK_STREAM, 0));
}

/* ---- files ---- */

static int other_tree(void)
{
	return can_read(value("other"));
}
static int other_tree_write(void)
{
	return can_open(value("other"), O_WRONLY);
}
static int home_secret(void)
{
	return can_read(value("secret"));
}
static int home_write(void)
{
	return can_create(getenv("HOME") ? getenv("HOME") : "/");
}
static int tmp_write(void)
{
	return can_create("/tmp");
}
static int own_tree_read(void)
{
	return can_read(value("own"));
}
static int own_tree_write(void)
{
	return can_open(value("own"), O_WRONLY);
}
static int usr_write(void)
{
	return can_create("/usr/bin");
}
static int root_write(void)
{
	return can_create("/");
}
static int etc_write(void)
{
	return can_open("/etc/passwd", O_WRONLY);
}
static int shadow(void)
{
	return can_read("/etc/shadow");
}
static int ssh_keys(void)
{
	return can_read("/etc/ssh/sshd_config");
}
static int var_log(void)
{
	return can_open("/var/log", O_RDONLY | O_DIRECTORY);
}
static int host_tmp(void)
{
	return can_read(value("tmpfile"));
}
static int core_pattern(void)
{
	return can_open("/proc/sys/kernel/core_pattern", O_WRONLY);
}
static int sysrq(void)
{
	return can_open("/proc/sysrq-trigger", O_WRONLY);
}
static int kcore(void)
{
	return can_read("/proc/kcore");
}
static int sys_write(void)
{
	return can_open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
}

static int link_out(void)
{
	char path[4096];
	snprintf(path, sizeof(path), "/tmp/link-%d", (int)getpid());
	if (symlink(value("other"), path))
		return errno;
	int code = can_read(path);
	unlink(path);
	return code;
}

/* ---- processes ---- */

static pid_t host_pid(void)
{
	return (pid_t)atoi(value("pid"));
}
static int kill_host(void)
{
	return result(kill(host_pid(), 0));
}
static int see_host(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/status", (int)host_pid());
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return errno;
	/* of a number of its own namespace: is it the host's? */
	char text[4096] = "", wanted[128];
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	snprintf(wanted, sizeof(wanted), "Name:\t%s\n", value("comm"));
	return n > 0 && strstr(text, wanted) ? 0 : ENOENT;
}
static int trace_host(void)
{
	return result(ptrace(PTRACE_ATTACH, host_pid(), 0, 0));
}
/* in a child: a traced process stops at its signals */
static int trace_me(void)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0)
		_exit(result(ptrace(PTRACE_TRACEME, 0, 0, 0)));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}
static int read_memory(void)
{
	char c;
	struct iovec mine = {&c, 1}, other = {(void *)(uintptr_t)&host_pid, 1};
	return result(process_vm_readv(host_pid(), &mine, 1, &other, 1, 0));
}
static int write_init_memory(void)
{
	return can_open("/proc/1/mem", O_RDWR);
}
static int move_to_other_cpu(void)
{
	cpu_set_t all;
	memset(&all, 0xff, sizeof(all));
	return result(sched_setaffinity(0, sizeof(all), &all));
}
static int real_time(void)
{
	struct sched_param p = {.sched_priority = 1};
	return result(sched_setscheduler(0, SCHED_FIFO, &p));
}
static int raise_priority(void)
{
	/* whoever started the tests may have raised it already */
	int now = getpriority(PRIO_PROCESS, 0);
	return result(setpriority(PRIO_PROCESS, 0, now - 1));
}

/* ---- devices ---- */

static int dev_kmsg(void)
{
	return can_open("/dev/kmsg", O_RDONLY);
}
static int dev_mem(void)
{
	return can_open("/dev/mem", O_RDONLY);
}
static int dev_kvm(void)
{
	return can_open("/dev/kvm", O_RDWR);
}
static int dev_fuse(void)
{
	return can_open("/dev/fuse", O_RDWR);
}
static int dev_disk(void)
{
	return can_open("/dev/loop0", O_RDONLY);
}
static int make_device(void)
{
	int code = result(mknod("/tmp/probe-device", S_IFBLK | 0600, makedev(7, 0)));
	unlink("/tmp/probe-device");
	return code;
}
static int dev_null(void)
{
	return can_open("/dev/null", O_RDWR);
}
static int gpu_device(void)
{
	return can_open("/dev/nvidiactl", O_RDWR);
}

/* ---- the kernel ---- */

static int new_user_namespace(void)
{
	return result(syscall(SYS_unshare, CLONE_NEWUSER));
}
static int child_in_namespace(void)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return result(pid);
}
static int clone3_namespace(void)
{
	uint64_t args[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
	long pid = syscall(SYS_clone3, args, sizeof(args));
	if (pid == 0)
		_exit(0);
	return result(pid);
}
static int mount_something(void)
{
	return result(mount("x", "/tmp", "no-such-file-system", 0, NULL));
}
static int remount(void)
{
	return result(mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
}
static int change_root(void)
{
	return result(chroot("/tmp"));
}
static int perf(void)
{
	char attributes[128] = {0};
	return result(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
}
static int bpf(void)
{
	return result(syscall(SYS_bpf, 0, 0, 0));
}
static int keys(void)
{
	return result(syscall(SYS_keyctl, 0, -3, 0, 0, 0));
}
static int fault_handler(void)
{
	return result(syscall(SYS_userfaultfd, 1));
}
static int io_uring(void)
{
	char parameters[120] = {0};
	return result(syscall(SYS_io_uring_setup, 1, parameters));
}
static int set_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return result(clock_settime(CLOCK_REALTIME, &now));
}
static int gain_privileges(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}
static int capabilities(void)
{
	char text[4096] = "";
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	const char *effective = n > 0 ? strstr(text, "CapEff:\t") : NULL;
	return effective && strtoull(effective + 8, NULL, 16) == 0 ? EPERM : 0;
}

static int root(void)
{
	return getuid() == 0 || geteuid() == 0 ? 0 : EPERM;
}

/* ---- what it was given ---- */

static int variable_token(void)
{
	return getenv("GITHUB_TOKEN") ? 0 : ENOENT;
}
static int variable_lang(void)
{
	return getenv("LANG") ? 0 : ENOENT;
}
static int open_descriptors(void)
{
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return 0;
	return EBADF;
}

static const struct probe {
	const char *what;
	int (*try)(void);
	const char *needs; /* a value, or NULL */
} probes[] = {
	{"network.host_port", host_port, "port"},
	{"network.internet", internet, NULL},
	{"network.abstract_socket", abstract_socket, "abstract"},
	{"network.raw_socket", raw_socket, NULL},
	{"network.vsock", vsock, NULL},
	{"files.own_tree_read", own_tree_read, "own"},
	{"files.own_tree_write", own_tree_write, "own"},
	{"files.other_tree_read", other_tree, "other"},
	{"files.other_tree_write", other_tree_write, "other"},
	{"files.link_to_other_tree", link_out, "other"},
	{"files.home_secret", home_secret, "secret"},
	{"files.home_write", home_write, NULL},
	{"files.tmp_write", tmp_write, NULL},
	{"files.host_tmp", host_tmp, "tmpfile"},
	{"files.usr_write", usr_write, NULL},
	{"files.root_write", root_write, NULL},
	{"files.etc_write", etc_write, NULL},
	{"files.etc_shadow", shadow, NULL},
	{"files.etc_ssh", ssh_keys, NULL},
	{"files.var_log", var_log, NULL},
	{"files.core_pattern", core_pattern, NULL},
	{"files.sysrq", sysrq, NULL},
	{"files.kcore", kcore, NULL},
	{"files.cpu_offline", sys_write, NULL},
	{"processes.signal_tool", kill_host, "pid"},
	{"processes.see_tool", see_host, "comm"},
	{"processes.trace_tool", trace_host, "pid"},
	{"processes.trace_me", trace_me, NULL},
	{"processes.read_memory", read_memory, "pid"},
	{"processes.write_init_memory", write_init_memory, NULL},
	{"processes.other_cpu", move_to_other_cpu, NULL},
	{"processes.real_time", real_time, NULL},
	{"processes.raise_priority", raise_priority, NULL},
	{"devices.null", dev_null, NULL},
	{"devices.kmsg", dev_kmsg, NULL},
	{"devices.mem", dev_mem, NULL},
	{"devices.kvm", dev_kvm, NULL},
	{"devices.fuse", dev_fuse, NULL},
	{"devices.disk", dev_disk, NULL},
	{"devices.make", make_device, NULL},
	{"devices.gpu", gpu_device, NULL},
	{"kernel.unshare", new_user_namespace, NULL},
	{"kernel.clone_namespace", child_in_namespace, NULL},
	{"kernel.clone3_namespace", clone3_namespace, NULL},
	{"kernel.mount", mount_something, NULL},
	{"kernel.remount", remount, NULL},
	{"kernel.chroot", change_root, NULL},
	{"kernel.perf", perf, NULL},
	{"kernel.bpf", bpf, NULL},
	{"kernel.keys", keys, NULL},
	{"kernel.userfaultfd", fault_handler, NULL},
	{"kernel.io_uring", io_uring, NULL},
	{"kernel.set_clock", set_clock, NULL},
	{"kernel.new_privileges", gain_privileges, NULL},
	{"kernel.capabilities", capabilities, NULL},
	{"kernel.root", root, NULL},
	{"given.GITHUB_TOKEN", variable_token, NULL},
	{"given.LANG", variable_lang, NULL},
	{"given.descriptors", open_descriptors, NULL},
};

int main(int count, char **arguments)
{
	argc = count;
	argv = arguments;
	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
		if (probes[i].needs && !value(probes[i].needs))
			continue;
		if (value("only") && !strstr(value("only"), probes[i].what))
			continue;
		errno = 0;
		int code = probes[i].try();
		printf("%s %s\n", probes[i].what, code ? strerrorname_np(code) : "yes");
	}
	return 0;
}
