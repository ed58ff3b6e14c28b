/* Events, gates and flushes on a clock whose every step is known. */
#include "test.h"

#include <dlfcn.h>

#include "gpu/flush.h"
#include "gpu/ptxgen.h"

#define FAKE_DIR BA_BINARY_DIR "/tests/fakecuda/lib"

typedef struct fixture {
	ba_driver drv;
	ba_device device;
	ba_stopwatch watch;
	cu_stream stream;
	int64_t (*now)(void);
	void (*advance)(int64_t ns);
} fixture;

/* the script is read when the library is loaded: once for each test */
static void open_fake(fixture *f, const char *script)
{
	ba_error err;
	setenv("BA_FAKE_CUDA", script, 1);
	*f = (fixture){0};
	if (ba_driver_open(&f->drv, FAKE_DIR "/libcuda.so.1", &err) ||
		ba_driver_init(&f->drv, &err) || ba_device_open(&f->device, &f->drv, 0, &err) ||
		ba_device_enter(&f->device, &err) || ba_stopwatch_open(&f->watch, &f->drv, &err))
		fail_msg("%s", err.text);
	assert_int_equal(f->drv.stream_create(&f->stream, 1), 0);
	*(void **)&f->advance = dlsym(f->drv.library, "ba_fake_advance_ns");
}

static void close_fake(fixture *f)
{
	ba_stopwatch_close(&f->watch);
	f->drv.stream_destroy(f->stream);
	ba_device_leave(&f->device);
	ba_driver_close(&f->drv);
}

TEST(ticks_of_events_are_found)
{
	static const int ticks[] = {1, 32, 500, 1024};
	for (size_t i = 0; i < 4; i++) {
		char script[64];
		fixture f;
		ba_event_facts facts;
		ba_error err;
		snprintf(script, sizeof(script), "event_tick_ns=%d", ticks[i]);
		open_fake(&f, script);
		assert_int_equal(ba_event_calibrate(&facts, &f.watch, f.stream, &err), 0);
		assert_close(facts.tick_ns, ticks[i], 0);
		assert_close(facts.timer_ns, 32, 0);
		assert_true(facts.pair_ns < ticks[i] + 1);
		close_fake(&f);
	}
}

TEST(a_gate_that_is_too_short_is_seen)
{
	fixture f;
	bool held;
	double ns, mhz;
	open_fake(&f, "launch_ns=1000;mhz=1500;ramp_ms=0");
	/* queueing takes 30 us, whoever waits */
	for (int gate_us = 10; gate_us <= 100; gate_us += 90) {
		assert_int_equal(
			ba_stopwatch_begin(&f.watch, f.stream, (uint64_t)gate_us * 1000), 0);
		f.advance(30000);
		assert_int_equal(ba_stopwatch_end(&f.watch, f.stream, &held), 0);
		assert_int_equal(held, gate_us == 100);
		assert_int_equal(f.drv.stream_synchronize(f.stream), 0);
		assert_int_equal(ba_stopwatch_read(&ns, &mhz, &f.watch), 0);
		/* nothing was between the events, but for the host where the gate was
		 * open too early */
		if (held)
			assert_true(ns < 100);
		else
			assert_true(ns > 15000);
		assert_close(mhz, 1500, 1);
	}
	close_fake(&f);
}

TEST(a_flush_is_proved_and_one_that_is_none_is_seen)
{
	static const char *const scripts[] = {"launch_ns=0", "launch_ns=0;l2_sticky=1"};
	for (int sticky = 0; sticky < 2; sticky++) {
		fixture f;
		ba_flusher flusher;
		ba_flush_proof proof;
		ba_error err;
		open_fake(&f, scripts[sticky]);
		assert_int_equal(ba_flusher_open(&flusher, &f.device, BA_FLUSH_READ, &err), 0);
		assert_true(flusher.bytes >= 2 * (uint64_t)f.device.l2_bytes);
		assert_int_equal(
			ba_flush_prove(&proof, &flusher, &f.watch, &f.device, f.stream, &err), 0);
		assert_true(proof.hot_ns < 0.5 * proof.first_ns);
		if (sticky)
			assert_true(proof.ratio < 0.5);
		else
			assert_close(proof.ratio, 1, 0.02);
		ba_flusher_close(&flusher);
		close_fake(&f);
	}
}

/* the probe drives out a quarter of a cache full of dirty lines: that is written back,
 * at the speed at which it is read */
TEST(what_a_flush_by_writing_leaves_is_paid_for_by_the_next)
{
	fixture f;
	ba_flusher flusher;
	ba_flush_proof proof;
	ba_error err;
	open_fake(&f, "launch_ns=0");
	assert_int_equal(ba_flusher_open(&flusher, &f.device, BA_FLUSH_WRITE, &err), 0);
	assert_int_equal(ba_flush_prove(&proof, &flusher, &f.watch, &f.device, f.stream, &err), 0);
	assert_true(proof.hot_ns < 0.5 * proof.first_ns);
	assert_close(proof.ratio, 2, 0.02);
	ba_flusher_close(&flusher);
	close_fake(&f);
}
