/* What --resume is given: bytes that say they are a journal, as they are and with sums
 * that are right, so that the reader gets behind them. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "journal_seal.h"
#include "store/journal_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_journal(const char *data, size_t size)
{
	BA_AUTO_FD int fd = memfd_create("journal", MFD_CLOEXEC);
	BA_AUTO(ba_journal_content) ba_journal_content content = {0};
	ba_journal_place whole = {.at = -1};
	ba_error err = {0};

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();
	if (ba_journal_read(&content, &whole, fd, "x", 0, &err)) {
		if (!*err.text)
			abort();
		return;
	}
	/* what is kept ends with a whole line, within the file */
	if (whole.at < 0 || whole.at > (off_t)size || (whole.at && data[whole.at - 1] != '\n'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_buf) ba_buf sealed = BA_BUF_INIT;
	journal_seal(&sealed, (const char *)data, size);
	read_journal((const char *)data, size);
	read_journal(sealed.data, sealed.len);
	return 0;
}
