#include "wire/beacon.h"

#include <sys/mman.h>

const char *ba_phase_text(uint32_t phase)
{
	static const char *const texts[BA_PHASE_COUNT] = {
		[BA_PHASE_START] = "at the start",
		[BA_PHASE_DRIVER] = "while the driver was set up",
		[BA_PHASE_LOAD] = "while its library was loaded",
		[BA_PHASE_OPEN] = "in open()",
		[BA_PHASE_PREPARE] = "in prepare()",
		[BA_PHASE_CHECK] = "while its launch was checked",
		[BA_PHASE_MEASURE] = "while it was measured",
		[BA_PHASE_RELEASE] = "in release()",
		[BA_PHASE_CLOSE] = "in close()",
		[BA_PHASE_SETUP] = "in setup()",
		[BA_PHASE_RUN] = "in run()",
		[BA_PHASE_VERIFY] = "in check()",
		[BA_PHASE_TEARDOWN] = "in teardown()",
	};
	return phase < BA_PHASE_COUNT ? texts[phase] : "at an unknown place";
}

int ba_beacon_map(ba_beacon **out, int fd, ba_error *err)
{
	void *page = mmap(NULL, sizeof(ba_beacon), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return ba_fail_errno(err, BA_EIO, "cannot map the page shared with a worker");
	*out = page;
	return 0;
}

int ba_beacon_create(ba_beacon **out, int *fd, ba_error *err)
{
	int file = memfd_create("bench-against", MFD_CLOEXEC);
	if (file < 0 || ftruncate(file, sizeof(ba_beacon))) {
		if (file >= 0)
			close(file);
		return ba_fail_errno(err, BA_EIO, "cannot make a page to share with a worker");
	}
	int rc = ba_beacon_map(out, file, err);
	if (rc) {
		close(file);
		return rc;
	}
	(*out)->variant = BA_BEACON_NOBODY;
	*fd = file;
	return 0;
}

void ba_beacon_unmap(ba_beacon *b)
{
	if (b)
		munmap(b, sizeof(*b));
}
