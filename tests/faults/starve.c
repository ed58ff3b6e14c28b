/*
 * starve [-s SEED] [-p PART] [-l LONGEST] COMMAND...: runs the command while its
 * processes lose the processor at random, as under a `cpulimit` or beside busy
 * neighbours. Each of its descendants is stopped (SIGSTOP) for up to LONGEST
 * milliseconds (default 400, and five times that now and then) and continued, each for
 * itself, so that it gets about PART percent of its time (default 60). No other process
 * is touched. Ends as the command does; says on standard error what it did and the
 * seed.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* a look at all processes is most of what this program does */
#define TICK_MS 25
#define MOST 4096
#define PIDS (1 << 22)

typedef struct process {
	pid_t pid, parent;
	bool ours;
} process;

typedef struct held {
	int fd; /* of the process, so that no other of the same number is meant */
	pid_t pid;
	int64_t until_ms;
} held;

static process all[MOST];
static size_t all_count;
/* was there before the command, so that it is no descendant */
static bool older[PIDS];
static held stopped[MOST];
static size_t stopped_count;
static uint64_t chance;
static volatile sig_atomic_t ending;

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* xorshift64*, 0 to 1 */
static double draw(void)
{
	chance ^= chance >> 12;
	chance ^= chance << 25;
	chance ^= chance >> 27;
	return (double)((chance * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

/* ---- descendants ---- */

static bool read_parent(pid_t *parent, char *state, const char *pid)
{
	char path[64], text[512];
	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
	if (in)
		fclose(in);
	text[n] = '\0';
	char *end = strrchr(text, ')');
	int number;
	if (!end || sscanf(end + 1, " %c %d", state, &number) != 2)
		return false;
	*parent = (pid_t)number;
	return true;
}

static void look(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	all_count = 0;
	while (proc && (e = readdir(proc)) && all_count < MOST) {
		process *p = &all[all_count];
		char state;
		p->pid = (pid_t)atoi(e->d_name);
		p->ours = false;
		if (p->pid > 0 && !older[p->pid % PIDS] &&
			read_parent(&p->parent, &state, e->d_name) && !strchr("ZX", state))
			all_count++;
	}
	if (proc)
		closedir(proc);
	/* orphans come to us (PR_SET_CHILD_SUBREAPER): all have us above them */
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < all_count; i++) {
			bool ours = all[i].parent == getpid();
			for (size_t k = 0; !ours && k < all_count; k++)
				ours = all[k].ours && all[k].pid == all[i].parent;
			more = more || (ours && !all[i].ours);
			all[i].ours = ours;
		}
	}
}

static int tell(int fd, int number)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
}

static void let_go(bool everything)
{
	int64_t now = now_ms();
	size_t kept = 0;
	for (size_t i = 0; i < stopped_count; i++) {
		if (!everything && now < stopped[i].until_ms) {
			stopped[kept++] = stopped[i];
			continue;
		}
		tell(stopped[i].fd, SIGCONT);
		close(stopped[i].fd);
	}
	stopped_count = kept;
}

static bool is_held(pid_t pid)
{
	for (size_t i = 0; i < stopped_count; i++)
		if (stopped[i].pid == pid)
			return true;
	return false;
}

static int64_t stop(const process *p, double longest)
{
	char state, pid[16];
	pid_t parent;
	snprintf(pid, sizeof(pid), "%d", (int)p->pid);
	int fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (fd < 0)
		return 0;
	/* still the same one, and nobody else's to continue? */
	if (!read_parent(&parent, &state, pid) || parent != p->parent || strchr("TtZX", state) ||
		tell(fd, SIGSTOP)) {
		close(fd);
		return 0;
	}
	int64_t span = 1 + (int64_t)(draw() * longest * (draw() < 0.02 ? 5 : 1));
	stopped[stopped_count++] = (held){fd, p->pid, now_ms() + span};
	return span;
}

static void on_end(int number)
{
	ending = number;
}

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)time(NULL);
	double part = 60, longest = 400;
	int option, status = 0, count = 0;
	while ((option = getopt(argc, argv, "+s:p:l:")) != -1) {
		if (option == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (option == 'p')
			part = strtod(optarg, NULL);
		else if (option == 'l')
			longest = strtod(optarg, NULL);
		else
			return 129;
	}
	if (optind == argc || part <= 0 || part > 100 || longest < 1) {
		fputs("usage: starve [-s SEED] [-p PART] [-l LONGEST] COMMAND...\n", stderr);
		return 129;
	}
	chance = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	signal(SIGTERM, on_end);
	signal(SIGINT, on_end);
	look();
	for (size_t i = 0; i < all_count; i++)
		older[all[i].pid % PIDS] = true;
	pid_t child = fork();
	if (child == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		execvp(argv[optind], argv + optind);
		perror(argv[optind]);
		_exit(127);
	}
	/* stops of half of `longest` on average, as often as leaves it its part */
	double rate = (100 - part) / part * TICK_MS / (longest / 2);
	int64_t lost = 0;
	bool gone = child < 0;
	while (!gone && !ending) {
		pid_t pid;
		while ((pid = waitpid(-1, &option, WNOHANG)) > 0)
			if (pid == child) {
				status = option;
				gone = true;
			}
		let_go(gone);
		if (gone)
			break;
		look();
		for (size_t i = 0; i < all_count; i++) {
			if (!all[i].ours || is_held(all[i].pid) || draw() >= rate ||
				stopped_count == MOST)
				continue;
			int64_t span = stop(&all[i], longest);
			lost += span;
			count += span > 0;
		}
		nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
	}
	let_go(true);
	if (ending)
		kill(child, SIGTERM);
	fprintf(stderr, "starve: seed %" PRIu64 ", stopped %d times, for %.1f s together\n", seed,
		count, (double)lost / 1e3);
	if (ending)
		return 128 + ending;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
