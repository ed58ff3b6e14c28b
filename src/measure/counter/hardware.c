/* Counts with the processor's counter of retired instructions, if the kernel permits
 * it. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "counter/counter.h"
#include "counter/row.h"

static int open_hardware(ba_counter *c, ba_error *err)
{
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	c->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 1UL << 3);
	if (c->fd < 0)
		return ba_fail_errno(err, BA_EUNSUPPORTED,
			"the processor's counter of instructions is not available");
	return 0;
}

static void close_hardware(ba_counter *c)
{
	ba_auto_close(&c->fd);
}

typedef uint64_t any_function(void *, void *, void *);

static __attribute__((noinline)) uint64_t run_hardware(ba_counter *c, const ba_counter_call *call)
{
	uint64_t count = 0;
	any_function *function = (any_function *)call->function;
	ioctl(c->fd, PERF_EVENT_IOC_RESET, 0);
	ioctl(c->fd, PERF_EVENT_IOC_ENABLE, 0);
	uint64_t result = function(call->args[0], call->args[1], call->args[2]);
	ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(c->fd, &count, sizeof(count)) != (ssize_t)sizeof(count))
		c->shared->stop = BA_STOP_LOST;
	c->shared->used = count;
	return result;
}

const ba_counter_row ba_counter_hardware = {
	.name = "hardware",
	.open = open_hardware,
	.close = close_hardware,
	.run = run_hardware,
};
