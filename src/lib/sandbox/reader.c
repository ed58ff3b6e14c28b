/* A process that only reads files and computes: the system calls that it may use. */
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "sandbox/inside.h"

/* x86-64, AArch64; -1: the architecture lacks the call */
static const int allowed[][2] = {
	{0, 63}, {17, 67}, {19, 65}, /* read pread64 readv */
	{1, 64}, {20, 66},	     /* write writev: open descriptors */
	{3, 57}, {8, 62}, {5, 80}, {262, 79}, {332, 291}, {4, -1}, {6, -1}, /* close lseek *stat* */
	{21, -1}, {269, 48}, {89, -1}, {267, 78}, {79, 17}, /* access readlink getcwd */
	{9, 222}, {11, 215}, {25, 216}, {10, 226}, {28, 233}, {12, 214}, /* memory */
	{318, 278}, {228, 113}, {202, 98}, {24, 124}, {35, 101}, /* random clock futex yield */
	{13, 134}, {14, 135}, {15, 139}, {131, 132},		 /* its own signals */
	{39, 172}, {186, 178},					 /* getpid gettid */
	{60, 93}, {231, 94},					 /* exit */
};
static const int openat_[2] = {257, 56};
enum { FLAGS_THAT_WRITE = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND };

static void put(ba_filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	f->items[f->count++] = (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
}

static void fill(ba_filter *f, uint32_t architecture)
{
	int arm = architecture == AUDIT_ARCH_AARCH64;
	const uint16_t load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K;
	put(f, load, offsetof(struct seccomp_data, arch), 0, 0);
	put(f, equal, architecture, 1, 0);
	put(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	put(f, load, offsetof(struct seccomp_data, nr), 0, 0);
	for (size_t i = 0; i < BA_COUNT(allowed); i++) {
		if (allowed[i][arm] < 0)
			continue;
		put(f, equal, (uint32_t)allowed[i][arm], 0, 1);
		put(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	}
	put(f, equal, (uint32_t)openat_[arm], 0, 3);
	put(f, load, offsetof(struct seccomp_data, args) + 8 * 2, 0, 0);
	put(f, BPF_JMP | BPF_JSET | BPF_K, FLAGS_THAT_WRITE, 1, 0);
	put(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	put(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

void ba_sandbox_become_reader(void)
{
	ba_filter f = {.count = 0};
	uint32_t architecture = ba_sandbox_architecture();
	if (!architecture)
		return;
	fill(&f, architecture);
	const struct sock_fprog program = {(unsigned short)f.count, f.items};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
