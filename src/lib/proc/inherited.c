#include "proc/inherited.h"

#include "base/base.h"

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
