#include "worker/channel.h"

#include <fcntl.h>
#include <sys/stat.h>

int ba_channel_init(ba_channel *c, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return -1;
	*c = (ba_channel){.fd = fd, .device = st.st_dev, .inode = st.st_ino};
	return 0;
}

bool ba_channel_is_ours(const ba_channel *c)
{
	struct stat st;

	return !fstat(c->fd, &st) && st.st_dev == c->device && st.st_ino == c->inode;
}
