/*
 * Runs a program with less than its user may do: bubblewrap gives it namespaces of its
 * own and a file system that holds only what it needs. No privileges are needed, where
 * the kernel lets ordinary users make namespaces.
 *
 *     const char *const tree[] = {dir, NULL};
 *     const ba_sandbox box = {.writable = tree};
 *     if (ba_sandbox_available(err) < 0)       -- never run it without
 *             return rc;
 *     ba_sandbox_run(&result, &spec, &box, err);
 *
 * What a program finds inside:
 *
 *   files        /usr, /bin, /sbin, /lib*, /opt and /nix/store; of /etc what programs
 *                need to start, without keys and passwords; all of it read-only. The
 *                paths of `readable` and `writable`, at their own places. An empty home
 *                and an empty /tmp. Nothing else: no /root, no /home, no /var, no /run.
 *                /proc is read-only
 *   processes    its own and its children. All of them end when it ends, or when we do,
 *                whatever session or group they are in
 *   network      only a loopback of its own, unless `network`
 *   devices      null, zero, full, random, urandom, tty, a pts and a shm of its own;
 *                the GPU's if `gpu`
 *   environment  as ba_sandbox_environment says
 *   privileges   none, and no way to gain any: no capabilities, no set-user-ID. Root is
 *                an ordinary user inside
 *   system calls none that look into or change other processes, the machine, or its
 *                own confinement: ptrace, process_vm_*, sched_setaffinity and the other
 *                ways to schedule, perf_event_open, bpf, keyctl, mount, unshare, setns,
 *                new namespaces, userfaultfd, io_uring; none of another architecture;
 *                none that this version does not know. They fail with EPERM or ENOSYS
 *
 * What it does not limit: memory, processor time, the number of processes, room on the
 * disk below `writable`. The GPU is shared hardware. The kernel is the wall: a fault in
 * it, or in the GPU's driver, is a way out.
 */
#pragma once

#include "proc/proc.h"

/* Zero is the least that a program can have. Everything is borrowed during a call. */
typedef struct ba_sandbox {
	/* Files and folders, absolute, each list ends with NULL; or NULL. What does not
	 * exist is left out. The deeper path decides, and `writable` before `readable`.
	 */
	const char *const *readable, *const *writable;
	/* folders that are empty inside, although a folder above them can be seen; or NULL */
	const char *const *hidden;
	/* names of more variables to pass; NULL-terminated, or NULL */
	const char *const *env;
	/* a folder of ours that is its /tmp; NULL: one in memory */
	const char *tmp;
	/* where its empty home is; NULL: where HOME says, else /home */
	const char *home;
	bool network, gpu;
	bool alone; /* it may have threads, but cannot start processes: EPERM */
	/* it and all its children run on processor `cpu`, and cannot change that */
	bool pinned;
	int cpu;
} ba_sandbox;

/* Runs a program that does nothing, in a sandbox. BA_EUNSUPPORTED: what is missing, and
 * what to do. */
int ba_sandbox_available(ba_error *err);

/* ba_proc_start and ba_proc_run, in the sandbox; box NULL: without one. argv[0] is looked
 * up in the folders of PATH that can be seen inside; BA_ENOTFOUND says which cannot.
 * spec->dir must be visible inside. NULL is "/". Of spec->fds the numbers 8 and 9 are taken. ba_proc_pid
 * is the program's own as soon as it runs. */
int ba_sandbox_start(ba_proc **out, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err);
int ba_sandbox_run(
	ba_proc_result *out, const ba_proc_spec *spec, const ba_sandbox *box, ba_error *err);

/* From now on this process, which has one thread, can read files, compute, and use what it has
 * open: no new processes, files, connections or signals to others. For a child of a fork
 * (proc/aside.h). Where the kernel or the architecture cannot do that, nothing changes. */
void ba_sandbox_become_reader(void);

/* Appends those of `env` ("NAME=value", ends with NULL) that a program in the sandbox
 * gets:
 *
 *  - names that it needs: PATH (only what can be seen inside), LANG and LC_*, TERM, TZ, USER,
 *    those of compilers (CC, CFLAGS, ...), CUDA_*, NVIDIA_*, of Python and its CUDA libraries, of OpenMP,
 *    CMAKE_*, CCACHE_*, BENCH_AGAINST_*; and the names in box->env;
 *  - never a secret: GITHUB_*, ACTIONS_*, RUNNER_*, SSH_*, AWS_* and those of other
 *    clouds, *TOKEN*, *SECRET*, *PASSWORD*, *CREDENTIAL*, *_KEY. Even box->env does not
 *    pass these.
 *
 * HOME, TMPDIR and LSAN_OPTIONS are set: a leak check needs ptrace. */
void ba_sandbox_environment(ba_strv *out, const char *const *env, const ba_sandbox *box);
