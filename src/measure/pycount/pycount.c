/*
 * The counter as a library that Python loads with ctypes (python/bench_against_worker/
 * count.py). It knows nothing of Python: it calls the function that it is given, which is
 * PyObject_CallNoArgs with a callable. So an interpreter of any version will do, and
 * ctypes' own work is not counted.
 */

#include "counter/trace.h"

#define EXPORTED __attribute__((visibility("default")))

/* What the functions return. */
enum { COUNTED, UNSUPPORTED, TOO_LONG, FAULT, BROKEN };

static ba_error last;
static ba_counter *counter;
static ba_trace_file *file;
static const char *way_name = "";
static uint64_t instructions_most;

EXPORTED const char *ba_pycount_text(void);
EXPORTED const char *ba_pycount_way(void);
EXPORTED int ba_pycount_open(const char *way, uint64_t most, const char *trace);
EXPORTED int ba_pycount_call(
	uint64_t *instructions, void **result, void (*function)(void), void *a, void *b);
EXPORTED int ba_pycount_is_quick(void);
EXPORTED uint64_t ba_pycount_again(void **result, void (*function)(void), void *a, void *b);
EXPORTED int ba_pycount_close(int keep);

/* Why the last function did not return COUNTED. */
const char *ba_pycount_text(void)
{
	return last.text;
}

/* The way in which the open counter counts. */
const char *ba_pycount_way(void)
{
	return way_name;
}

static int answer_of(int rc)
{
	switch (rc) {
	case 0:
		return COUNTED;
	case BA_EUNSUPPORTED:
		return UNSUPPORTED;
	case BA_EVARIANT:
		return FAULT;
	default:
		return BROKEN;
	}
}

/* way: as in counter.h. trace: the file that ba_pycount_close() writes. */
int ba_pycount_open(const char *way, uint64_t most, const char *trace)
{
	int row = ba_counter_way_from_name(way);
	ba_pycount_close(0);
	if (row < 0)
		return answer_of(ba_fail(&last, BA_EINVAL, "there is no way to count '%s'", way));
	int rc = ba_counter_open(&counter, (ba_counter_way)row, most, &last);
	instructions_most = most;
	way_name = ba_counter_way_name((ba_counter_way)row);
	if (rc == 0)
		file = ba_trace_create(trace);
	return answer_of(rc);
}

/* Counts function(a, b) and adds it to the trace. *result: its return value, also if it
 * could not be counted. */
int ba_pycount_call(uint64_t *instructions, void **result, void (*function)(void), void *a, void *b)
{
	const ba_counter_call call = {.function = function, .args = {a, b}};
	ba_counted counted;
	if (!counter)
		return answer_of(ba_fail(&last, BA_EINVAL, "no counter is open"));
	int rc = ba_counter_run(&counted, counter, &call, &last);
	*instructions = counted.instructions;
	*result = (void *)(uintptr_t)counted.result;
	if (rc && counted.instructions > instructions_most)
		return TOO_LONG;
	if (rc == 0)
		ba_trace_add(file, &counted);
	return answer_of(rc);
}

/* Can the processor's counter show whether the count of a call repeats? */
int ba_pycount_is_quick(void)
{
	return counter && ba_counter_quick(counter);
}

/* The processor's count for function(a, b), which is not added to the trace; 0: not
 * available. */
uint64_t ba_pycount_again(void **result, void (*function)(void), void *a, void *b)
{
	const ba_counter_call call = {.function = function, .args = {a, b}};
	ba_counted counted;
	int rc = ba_counter_run(&counted, ba_counter_quick(counter), &call, NULL);
	*result = (void *)(uintptr_t)counted.result;
	return rc ? 0 : counted.instructions;
}

/* keep: write the trace. */
int ba_pycount_close(int keep)
{
	int rc = 0;
	if (file && keep)
		rc = ba_trace_write(file, &last);
	ba_trace_file_free(file);
	ba_counter_free(counter);
	file = NULL;
	counter = NULL;
	return answer_of(rc);
}
