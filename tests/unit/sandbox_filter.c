/* The program of seccomp, run here on calls of both architectures. */
#include "test.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "sandbox/inside.h"

#define X86 AUDIT_ARCH_X86_64
#define ARM AUDIT_ARCH_AARCH64
#define REFUSED(number) (SECCOMP_RET_ERRNO | (number))

static uint32_t step_jump(const struct sock_filter *i, uint32_t a)
{
	bool yes = false;
	switch (BPF_OP(i->code)) {
	case BPF_JEQ:
		yes = a == i->k;
		break;
	case BPF_JGT:
		yes = a > i->k;
		break;
	case BPF_JSET:
		yes = (a & i->k) != 0;
		break;
	default:
		fail_msg("no such jump: %x", i->code);
	}
	return yes ? i->jt : i->jf;
}

/* What the kernel would answer. */
static uint32_t ask_box(bool alone, uint32_t arch, int nr, uint64_t arg0, uint64_t arg1)
{
	const struct seccomp_data call = {.nr = nr, .arch = arch, .args = {arg0, arg1}};
	static ba_filter f;
	uint32_t a = 0;
	ba_sandbox_filter(&f, arch == X86 || arch == ARM ? arch : X86, alone);
	for (size_t pc = 0; pc < f.count; pc++) {
		const struct sock_filter *i = &f.items[pc];
		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
			assert_true(i->k + sizeof(a) <= sizeof(call));
			memcpy(&a, (const char *)&call + i->k, sizeof(a));
			break;
		case BPF_ALU:
			a &= i->k;
			break;
		case BPF_JMP:
			pc += step_jump(i, a);
			break;
		case BPF_RET:
			return i->k;
		default:
			fail_msg("no such instruction: %x", i->code);
		}
	}
	fail_msg("the program ends without an answer");
	return 0;
}

static uint32_t ask(uint32_t arch, int nr, uint64_t arg0, uint64_t arg1)
{
	return ask_box(false, arch, nr, arg0, arg1);
}

TEST(everyday_calls_pass)
{
	/* read, write, mmap, execve, exit_group, futex, fork's clone, sched_getaffinity */
	static const int x86[] = {0, 1, 9, 59, 231, 202, 204, 257};
	static const int arm[] = {63, 64, 222, 221, 94, 98, 123, 56};
	for (size_t i = 0; i < sizeof(x86) / sizeof(*x86); i++) {
		assert_int_equal(ask(X86, x86[i], 0, 0), SECCOMP_RET_ALLOW);
		assert_int_equal(ask(ARM, arm[i], 0, 0), SECCOMP_RET_ALLOW);
	}
}

TEST(calls_on_other_processes_and_the_machine_are_refused)
{
	/* ptrace, process_vm_readv, _writev, sched_setaffinity, perf_event_open, bpf, keyctl,
	 * mount, unshare, setns, userfaultfd, io_uring_setup, pidfd_getfd */
	static const int x86[] = {101, 310, 311, 203, 298, 321, 250, 165, 272, 308, 323, 425, 438};
	static const int arm[] = {117, 270, 271, 122, 241, 280, 219, 40, 97, 268, 282, 425, 438};
	for (size_t i = 0; i < sizeof(x86) / sizeof(*x86); i++) {
		assert_int_equal(ask(X86, x86[i], 0, 0), REFUSED(EPERM));
		assert_int_equal(ask(ARM, arm[i], 0, 0), REFUSED(EPERM));
	}
}

/* The table has numbers; this machine's header has names for its own. */
TEST(numbers_are_those_of_this_machine)
{
	static const int own[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
		SYS_migrate_pages, SYS_move_pages, SYS_sched_setaffinity, SYS_sched_setscheduler,
		SYS_sched_setparam, SYS_sched_setattr, SYS_perf_event_open, SYS_bpf, SYS_syslog,
		SYS_lookup_dcookie, SYS_fanotify_init, SYS_add_key, SYS_request_key, SYS_keyctl,
		SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
		SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
		SYS_mount_setattr, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_quotactl,
		SYS_quotactl_fd, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
		SYS_io_uring_register, SYS_acct, SYS_swapon, SYS_swapoff, SYS_reboot,
		SYS_sethostname, SYS_setdomainname, SYS_vhangup, SYS_settimeofday,
		SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_init_module,
		SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
		SYS_nfsservctl, SYS_pidfd_getfd, SYS_process_madvise};
	uint32_t arch = ba_sandbox_architecture();
	if (!arch)
		skip();
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (ask(arch, own[i], 0, 0) != REFUSED(EPERM))
			fail_msg("number %d is not refused", own[i]);
	assert_int_equal(ask(arch, SYS_clone3, 0, 0), REFUSED(ENOSYS));
	assert_int_equal(ask(arch, SYS_clone, CLONE_NEWUSER, 0), REFUSED(EPERM));
	assert_int_equal(ask(arch, SYS_socket, AF_VSOCK, 0), REFUSED(EAFNOSUPPORT));
	assert_int_equal(ask(arch, SYS_ioctl, 0, 0x5412), REFUSED(EPERM));
	assert_int_equal(ask(arch, SYS_personality, PER_BSD, 0), REFUSED(EPERM));
}

TEST(threads_and_children_may_be_made_but_no_namespaces)
{
	const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
				CLONE_SYSVSEM | CLONE_SETTLS;
	static const uint64_t namespaces[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS,
		CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
	assert_int_equal(ask(X86, 56, thread, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 56, 17 | CLONE_VFORK, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(ARM, 220, 17, 0), SECCOMP_RET_ALLOW);
	for (size_t i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++) {
		assert_int_equal(ask(X86, 56, namespaces[i] | 17, 0), REFUSED(EPERM));
		assert_int_equal(ask(ARM, 220, namespaces[i] | 17, 0), REFUSED(EPERM));
	}
	assert_int_equal(ask(ARM, 435, 0, 0), REFUSED(ENOSYS));
	/* a program that is to stay alone: fork, vfork and clone without CLONE_THREAD */
	assert_int_equal(ask_box(true, X86, 56, thread, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask_box(true, ARM, 220, thread, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask_box(true, X86, 56, thread | CLONE_NEWPID, 0), REFUSED(EPERM));
	assert_int_equal(ask_box(true, X86, 56, 17 | CLONE_VFORK | CLONE_VM, 0), REFUSED(EPERM));
	assert_int_equal(ask_box(true, ARM, 220, 17, 0), REFUSED(EPERM));
	for (int fork = 57; fork <= 58; fork++) {
		assert_int_equal(ask(X86, fork, 0, 0), SECCOMP_RET_ALLOW);
		assert_int_equal(ask_box(true, X86, fork, 0, 0), REFUSED(EPERM));
	}
	assert_int_equal(ask_box(true, X86, 435, 0, 0), REFUSED(ENOSYS));
	assert_int_equal(ask_box(true, X86, 59, 0, 0), SECCOMP_RET_ALLOW);
}

TEST(only_common_families_of_sockets_pass)
{
	static const int fine[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(ask(X86, 41, (uint64_t)fine[i], 0), SECCOMP_RET_ALLOW);
		assert_int_equal(ask(ARM, 198, (uint64_t)fine[i], 0), SECCOMP_RET_ALLOW);
	}
	for (int family = 0; family < 64; family++)
		if (family != AF_UNIX && family != AF_INET && family != AF_INET6 &&
			family != AF_NETLINK)
			assert_int_equal(ask(X86, 41, (uint64_t)family, 0), REFUSED(EAFNOSUPPORT));
}

TEST(terminals_cannot_be_typed_into)
{
	assert_int_equal(ask(X86, 16, 0, 0x5401), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 16, 0, 0x5412), REFUSED(EPERM));
	/* the kernel looks at the lower half alone */
	assert_int_equal(ask(X86, 16, 0, 0xffffffff00005412), REFUSED(EPERM));
	assert_int_equal(ask(ARM, 29, 0, 0x541c), REFUSED(EPERM));
}

TEST(addresses_may_be_fixed_and_nothing_else_of_personality)
{
	assert_int_equal(ask(X86, 135, 0xffffffff, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 135, PER_LINUX, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 135, ADDR_NO_RANDOMIZE, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 135, READ_IMPLIES_EXEC, 0), REFUSED(EPERM));
	assert_int_equal(ask(ARM, 92, PER_LINUX32, 0), REFUSED(EPERM));
}

TEST(unknown_calls_do_not_exist)
{
	assert_int_equal(ask(X86, 462, 0, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(ask(X86, 463, 0, 0), REFUSED(ENOSYS));
	/* x32's getpid, and its ptrace */
	assert_int_equal(ask(X86, 0x40000000 + 39, 0, 0), REFUSED(ENOSYS));
	assert_int_equal(ask(X86, 0x40000000 + 521, 0, 0), REFUSED(ENOSYS));
	assert_int_equal(ask(ARM, -1, 0, 0), REFUSED(ENOSYS));
}

TEST(calls_of_other_architectures_kill)
{
	assert_int_equal(ask(AUDIT_ARCH_I386, 1, 0, 0), SECCOMP_RET_KILL_PROCESS);
	ba_filter f = {.count = 7};
	ba_sandbox_filter(&f, AUDIT_ARCH_PPC64LE, false);
	assert_int_equal(f.count, 0);
}
