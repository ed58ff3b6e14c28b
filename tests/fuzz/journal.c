/* What --resume is given: bytes that say they are a journal. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "store/journal_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO_FD int fd = memfd_create("journal", MFD_CLOEXEC);
	BA_AUTO(ba_journal_content) ba_journal_content content = {0};
	off_t whole = -1;
	ba_error err = {0};

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();
	if (ba_journal_read(&content, &whole, fd, "x", &err)) {
		if (!*err.text)
			abort();
		return 0;
	}
	/* what is kept ends with a whole line, within the file */
	if (whole < 0 || whole > (off_t)size || (whole && data[whole - 1] != '\n'))
		abort();
	return 0;
}
