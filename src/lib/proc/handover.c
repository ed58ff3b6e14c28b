#include "proc/handover.h"

#include <poll.h>
#include <sys/socket.h>

/* room for one descriptor (or two, by alignment), aligned as the interface demands */
typedef union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
} control;

int ba_handover_pair(int ends[2], ba_error *err)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return ba_fail_errno(err, BA_EIO, "socketpair");
	return 0;
}

int ba_handover_send(int end, int fd, ba_error *err)
{
	char byte = 0;
	control c = {.bytes = {0}};
	struct iovec data = {&byte, 1};
	struct msghdr m = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = c.bytes,
		.msg_controllen = sizeof(c.bytes)};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(h), &fd, sizeof(fd));
	/* the receiver may not read, so do not block */
	if (sendmsg(end, &m, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		return ba_fail_errno(err, BA_EWORKER, "cannot hand over a descriptor");
	return 0;
}

/* Closes unexpected descriptors that came. */
static int close_all(const struct cmsghdr *h, ba_error *err)
{
	bool rights = h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS;
	size_t bytes = rights ? h->cmsg_len - CMSG_LEN(0) : 0;
	for (size_t i = 0; i + sizeof(int) <= bytes; i += sizeof(int)) {
		int fd;
		memcpy(&fd, CMSG_DATA(h) + i, sizeof(fd));
		close(fd);
	}
	return ba_fail(err, BA_EWORKER, "no descriptor was handed over");
}

int ba_handover_receive(int *fd, int end, int64_t timeout_ns, ba_error *err)
{
	char byte;
	control c = {.bytes = {0}};
	struct iovec data = {&byte, 1};
	struct msghdr m = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = c.bytes,
		.msg_controllen = sizeof(c.bytes)};
	struct pollfd p = {.fd = end, .events = POLLIN};
	int64_t until = ba_now_ns() + timeout_ns;
	int ready;
	do {
		int64_t left = until - ba_now_ns();
		ready = poll(&p, 1, left > 0 ? (int)(left / BA_MS) : 0);
	} while (ready < 0 && errno == EINTR);
	if (ready == 0)
		return ba_fail(err, BA_ETIMEOUT, "no descriptor came");
	ssize_t got = ready > 0 ? recvmsg(end, &m, MSG_CMSG_CLOEXEC) : -1;
	const struct cmsghdr *h = got == 1 ? CMSG_FIRSTHDR(&m) : NULL;
	if (!h || h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS ||
		h->cmsg_len != CMSG_LEN(sizeof(*fd)))
		return close_all(h, err);
	memcpy(fd, CMSG_DATA(h), sizeof(*fd));
	return 0;
}

/* ---- what is inherited ---- */

static bool may_stay_ignored(int number)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU};
	return BA_ANY(numbers, BA_COUNT(numbers), one, *one == number);
}

static void settle_signals(void)
{
	sigset_t none;
	for (int number = 1; number < NSIG; number++) {
		struct sigaction now;
		/* signals with a handler were set up by a sanitizer or a preloaded
		 * library */
		if (!sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN &&
			!may_stay_ignored(number))
			signal(number, SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void settle_descriptors(void)
{
	/* the wrong direction: reading 0 and writing to 1 fail with EBADF, as when closed */
	static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
	for (int fd = 0; fd < (int)BA_COUNT(modes); fd++)
		/* open() takes the lowest number that is free; without /dev/null nothing helps */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			return;
}

void ba_inherited_settle(void)
{
	settle_signals();
	settle_descriptors();
	umask(umask(0) & (mode_t)~S_IRWXU);
}
