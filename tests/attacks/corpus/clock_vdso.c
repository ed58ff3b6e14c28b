/*
 * family: clock faked
 * kind:   launcher
 * idea:   writes a jump into the vDSO's clock_gettime(): while this library is launched, time
 *         passes at a twentieth of its speed
 * gate:   the clock that decides is the host's, in another process
 */
#include "tricks.h"

static double fake_ns, last_ns;
static unsigned long launches, launches_seen;

static int fake_clock(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	double now = (double)t->tv_sec * 1e9 + (double)t->tv_nsec;
	if (last_ns > 0)
		fake_ns += (now - last_ns) * (launches != launches_seen ? 0.05 : 1);
	else
		fake_ns = now;
	launches_seen = launches;
	last_ns = now;
	t->tv_sec = (time_t)(fake_ns / 1e9);
	t->tv_nsec = (long)(fake_ns - (double)t->tv_sec * 1e9);
	return rc;
}

/* the address of the function in the image of the vDSO */
static void *vdso_clock(void)
{
	const char *base = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *head = (const void *)base;
	const ElfW(Shdr) *s = (const void *)(base + head->e_shoff);
	for (int i = 0; i < head->e_shnum; i++) {
		if (s[i].sh_type != SHT_DYNSYM)
			continue;
		const char *names = base + s[s[i].sh_link].sh_offset;
		const ElfW(Sym) *symbols = (const void *)(base + s[i].sh_offset);
		for (size_t k = 0; k < s[i].sh_size / sizeof(*symbols); k++)
			if (strcmp(names + symbols[k].st_name, "__vdso_clock_gettime") == 0 ||
				strcmp(names + symbols[k].st_name, "__kernel_clock_gettime") == 0)
				return (void *)(base + symbols[k].st_value);
	}
	return NULL;
}

/* where its pages cannot be made writable: a page of ours in their place */
static int put_copy(void *vdso)
{
	static char copy[8192];
	size_t size = sizeof(copy);
	memcpy(copy, vdso, 4096);
	if (madvise((char *)vdso + 4096, 4096, MADV_NORMAL) == 0)
		memcpy(copy + 4096, (char *)vdso + 4096, 4096);
	else
		size = 4096;
	void *put = mmap(vdso, size, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (put != vdso)
		return errno;
	memcpy(vdso, copy, size);
	return 0;
}

void attack_prepare(kernel *k)
{
	static bool done;
	(void)k;
	if (done)
		return;
	done = true;
	void *clock = vdso_clock();
	int failed = clock ? patch_jump(clock, (void *)fake_clock) : ENOENT;
	if (clock && failed)
		failed = put_copy((void *)getauxval(AT_SYSINFO_EHDR)) ||
			 patch_jump(clock, (void *)fake_clock);
	evidence(failed ? "cannot patch the vDSO" : "patched the vDSO");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	launches++;
	spin(cost);
	return submit(k, c, args);
}
