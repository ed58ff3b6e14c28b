/* The system calls that a sandbox rejects, as a seccomp program. Constant answers come
 * from a bitmap of the kernel and cost nothing; only clone, socket, ioctl and
 * personality are examined each time. */
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "sandbox/inside.h"

enum { NONE = -1 };

typedef struct call {
	int x86_64, aarch64; /* numbers; NONE: the architecture lacks the call */
} call;

static const call refused[] = {
	/* other processes */
	{101, 117}, /* ptrace */
	{310, 270}, /* process_vm_readv */
	{311, 271}, /* process_vm_writev */
	{312, 272}, /* kcmp */
	{438, 438}, /* pidfd_getfd */
	{440, 440}, /* process_madvise */
	{448, 448}, /* process_mrelease */
	{256, 238}, /* migrate_pages */
	{279, 239}, /* move_pages */
	/* processors: the host pins */
	{203, 122}, /* sched_setaffinity */
	{144, 119}, /* sched_setscheduler */
	{142, 118}, /* sched_setparam */
	{314, 274}, /* sched_setattr */
	/* examining the machine */
	{298, 241}, /* perf_event_open */
	{321, 280}, /* bpf */
	{103, 116}, /* syslog */
	{212, 18},  /* lookup_dcookie */
	{300, 262}, /* fanotify_init */
	/* keys */
	{248, 217}, /* add_key */
	{249, 218}, /* request_key */
	{250, 219}, /* keyctl */
	/* namespaces and file systems */
	{165, 40},  /* mount */
	{166, 39},  /* umount2 */
	{155, 41},  /* pivot_root */
	{161, 51},  /* chroot */
	{272, 97},  /* unshare */
	{308, 268}, /* setns */
	{428, 428}, /* open_tree */
	{429, 429}, /* move_mount */
	{430, 430}, /* fsopen */
	{431, 431}, /* fsconfig */
	{432, 432}, /* fsmount */
	{433, 433}, /* fspick */
	{442, 442}, /* mount_setattr */
	{303, 264}, /* name_to_handle_at */
	{304, 265}, /* open_by_handle_at */
	{179, 60},  /* quotactl */
	{443, 443}, /* quotactl_fd */
	/* calls through which kernel faults were exploited */
	{323, 282}, /* userfaultfd */
	{425, 425}, /* io_uring_setup */
	{426, 426}, /* io_uring_enter */
	{427, 427}, /* io_uring_register */
	/* the machine itself */
	{163, 89},   /* acct */
	{167, 224},  /* swapon */
	{168, 225},  /* swapoff */
	{169, 142},  /* reboot */
	{170, 161},  /* sethostname */
	{171, 162},  /* setdomainname */
	{153, 58},   /* vhangup */
	{164, 170},  /* settimeofday */
	{227, 112},  /* clock_settime */
	{159, 171},  /* adjtimex */
	{305, 266},  /* clock_adjtime */
	{175, 105},  /* init_module */
	{313, 273},  /* finit_module */
	{176, 106},  /* delete_module */
	{246, 104},  /* kexec_load */
	{320, 294},  /* kexec_file_load */
	{172, NONE}, /* iopl */
	{173, NONE}, /* ioperm */
	{154, NONE}, /* modify_ldt */
	{134, NONE}, /* uselib */
	{156, NONE}, /* _sysctl */
	{180, 42},   /* nfsservctl */
};

/* for a program without child processes, besides clone */
static const call forks[] = {
	{57, NONE}, /* fork */
	{58, NONE}, /* vfork */
};

/* Later calls are unknown; x32's numbers are far larger. */
#define LAST_KNOWN 462 /* mseal */

static const call clone3 = {435, 435}, clone_ = {56, 220}, socket_ = {41, 198}, ioctl_ = {16, 29},
		  personality_ = {135, 92};

#define NEW_NAMESPACES                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
		CLONE_NEWPID | CLONE_NEWNET)

static void put(ba_filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	BA_REQUIRE(f->count < BA_FILTER_MOST);
	f->items[f->count++] = (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
}

static void load(ba_filter *f, size_t offset)
{
	put(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* the lower half of an argument: both architectures are little-endian */
static void load_argument(ba_filter *f, unsigned i)
{
	load(f, offsetof(struct seccomp_data, args) + 8 * i);
}

static void answer(ba_filter *f, uint32_t what)
{
	put(f, BPF_RET | BPF_K, what, 0, 0);
}

static void answer_error(ba_filter *f, uint32_t number)
{
	answer(f, SECCOMP_RET_ERRNO | number);
}

/* skips the next `skip` instructions for other values */
static void unless_skip(ba_filter *f, uint32_t value, uint8_t skip)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}

static uint32_t number_of(const call *c, bool arm)
{
	return (uint32_t)(arm ? c->aarch64 : c->x86_64);
}

/* Ends a process of another architecture; then the number of the call is loaded. */
static void begin(ba_filter *f, uint32_t architecture)
{
	load(f, offsetof(struct seccomp_data, arch));
	put(f, BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
	answer(f, SECCOMP_RET_KILL_PROCESS);
	load(f, offsetof(struct seccomp_data, nr));
}

/* a call whose arguments decide: ends with "allow" */
static void put_clone(ba_filter *f, bool arm, bool alone)
{
	unless_skip(f, number_of(&clone_, arm), alone ? 6 : 4);
	load_argument(f, 0);
	put(f, BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1);
	answer_error(f, EPERM);
	if (alone) {
		put(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
		answer_error(f, EPERM);
	}
	answer(f, SECCOMP_RET_ALLOW);
}

/* Other families lie outside the network namespace (AF_VSOCK) or are rarely used code. */
static void put_socket(ba_filter *f, bool arm)
{
	static const uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
	uint8_t n = BA_COUNT(families);
	unless_skip(f, number_of(&socket_, arm), (uint8_t)(n + 3));
	load_argument(f, 0);
	for (uint8_t i = 0; i < n; i++)
		put(f, BPF_JMP | BPF_JEQ | BPF_K, families[i], (uint8_t)(n - i), 0);
	answer_error(f, EAFNOSUPPORT);
	answer(f, SECCOMP_RET_ALLOW);
}

/* ioctls that put text into the input of a terminal */
static void put_ioctl(ba_filter *f, bool arm)
{
	const uint32_t tiocsti = 0x5412, tioclinux = 0x541c;
	unless_skip(f, number_of(&ioctl_, arm), 5);
	load_argument(f, 1);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, tiocsti, 1, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, tioclinux, 0, 1);
	answer_error(f, EPERM);
	answer(f, SECCOMP_RET_ALLOW);
}

/* Allows Linux's own personality, with or without fixed addresses, and queries. */
static void put_personality(ba_filter *f, bool arm)
{
	unless_skip(f, number_of(&personality_, arm), 6);
	load_argument(f, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 3, 0);
	put(f, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)ADDR_NO_RANDOMIZE, 0, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, PER_LINUX, 1, 0);
	answer_error(f, EPERM);
	answer(f, SECCOMP_RET_ALLOW);
}

static void put_refused(ba_filter *f, const call *calls, size_t count, bool arm)
{
	for (size_t i = 0; i < count; i++) {
		if ((int)number_of(&calls[i], arm) == NONE)
			continue;
		unless_skip(f, number_of(&calls[i], arm), 1);
		answer_error(f, EPERM);
	}
}

void ba_sandbox_filter(ba_filter *f, uint32_t architecture, bool alone)
{
	bool arm = architecture == AUDIT_ARCH_AARCH64;
	f->count = 0;
	if (!arm && architecture != AUDIT_ARCH_X86_64)
		return;
	begin(f, architecture);
	put(f, BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1);
	answer_error(f, ENOSYS);
	put_ioctl(f, arm);
	put_clone(f, arm, alone);
	put_socket(f, arm);
	put_personality(f, arm);
	/* its flags are in memory, where they may change after the check; libraries fall back
	 * to clone */
	unless_skip(f, number_of(&clone3, arm), 1);
	answer_error(f, ENOSYS);
	put_refused(f, refused, BA_COUNT(refused), arm);
	put_refused(f, forks, alone ? BA_COUNT(forks) : 0, arm);
	answer(f, SECCOMP_RET_ALLOW);
}

uint32_t ba_sandbox_architecture(void)
{
#if defined(__x86_64__)
	return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
	return AUDIT_ARCH_AARCH64;
#else
	return 0;
#endif
}

/* ---- a process that only reads files and computes ---- */

/* what a process that only reads files and computes may use, besides openat */
static const call allowed[] = {
	{0, 63}, {17, 67}, {19, 65}, /* read pread64 readv */
	{1, 64}, {20, 66},	     /* write writev: open descriptors */
	{3, 57}, {8, 62}, {5, 80}, {262, 79}, {332, 291}, {4, NONE},
	{6, NONE},						/* close lseek *stat* */
	{21, NONE}, {269, 48}, {89, NONE}, {267, 78}, {79, 17}, /* access readlink getcwd */
	{9, 222}, {11, 215}, {25, 216}, {10, 226}, {28, 233}, {12, 214}, /* memory */
	{318, 278}, {228, 113}, {202, 98}, {24, 124}, {35, 101}, /* random clock futex yield */
	{13, 134}, {14, 135}, {15, 139}, {131, 132},		 /* its own signals */
	{39, 172}, {186, 178},					 /* getpid gettid */
	{60, 93}, {231, 94},					 /* exit */
};
static const call openat_ = {257, 56};
enum { FLAGS_THAT_WRITE = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND };

static void put_reader(ba_filter *f, uint32_t architecture)
{
	bool arm = architecture == AUDIT_ARCH_AARCH64;
	begin(f, architecture);
	for (size_t i = 0; i < BA_COUNT(allowed); i++) {
		if ((int)number_of(&allowed[i], arm) == NONE)
			continue;
		unless_skip(f, number_of(&allowed[i], arm), 1);
		answer(f, SECCOMP_RET_ALLOW);
	}
	unless_skip(f, number_of(&openat_, arm), 3);
	load_argument(f, 2);
	put(f, BPF_JMP | BPF_JSET | BPF_K, FLAGS_THAT_WRITE, 1, 0);
	answer(f, SECCOMP_RET_ALLOW);
	answer_error(f, EPERM);
}

void ba_sandbox_become_reader(void)
{
	ba_filter f = {.count = 0};
	uint32_t architecture = ba_sandbox_architecture();
	if (!architecture)
		return;
	put_reader(&f, architecture);
	const struct sock_fprog program = {(unsigned short)f.count, f.items};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
