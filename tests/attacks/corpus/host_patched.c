/*
 * family: the tool itself
 * kind:   launcher
 * quick:  yes
 * idea:   writes over exit() in the tool's memory, through /proc/PID/mem: whatever the verdict, the
 *         status is 0
 * gate:   the tool is outside of the process namespace
 */
#include "tricks.h"

static void patch_host(pid_t host)
{
	char name[64], text[64] = "", path[PATH_MAX];
	snprintf(name, sizeof(name), "/proc/%d/comm", (int)host);
	FILE *f = fopen(name, "re");
	if (!f || !fgets(text, sizeof(text), f) || strcmp(text, "bench-against\n") != 0) {
		evidence("does not see the tool");
		return;
	}
	fclose(f);
	uintptr_t base = mapped(host, "/libc.so.6", path);
	uintptr_t offset = base ? symbol_of(path, "exit") : 0;
	snprintf(name, sizeof(name), "/proc/%d/mem", (int)host);
	int fd = open(name, O_RDWR | O_CLOEXEC);
#if defined(__x86_64__)
	/* xor edi, edi; mov eax, 231 (exit_group); syscall */
	static const unsigned char code[] = {0x31, 0xff, 0xb8, 231, 0, 0, 0, 0x0f, 0x05};
#else
	/* mov x0, 0; mov x8, 94; svc 0 */
	static const uint32_t code[] = {0xd2800000, 0xd2800bc8, 0xd4000001};
#endif
	if (fd >= 0 && offset &&
		pwrite(fd, code, sizeof(code), (off_t)(base + offset)) == sizeof(code))
		evidence("patched the tool");
	else
		evidence("cannot patch the tool");
}

static void meddle(void)
{
	patch_host(getppid());
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
