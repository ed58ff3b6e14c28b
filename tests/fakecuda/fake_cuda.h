/*
 * The fake driver: a libcuda.so.1 for tests, in which time passes only when somebody
 * says so. Made from the host target's driver plus a virtual clock, a queue of limited
 * depth, ticking events and errors on demand. It executes nothing, fails the execution
 * proof, exports the marker `bench_against_fake_cuda`, and is refused unless the caller
 * allows it.
 *
 * BA_FAKE_CUDA is the script: key=value pairs separated by ';'.
 *
 *   launch_ns=1500      host time of a launch
 *   drain_ns=900        device time of a kernel
 *   depth=1024          launches in flight before a launch waits for the oldest
 *   sync_ns=2000        host time of a synchronise beyond the waiting
 *   call_ns=50          host time of any other call
 *   clock_ns=25         host time of one read of the clock
 *   event_tick_ns=32    step of event times
 *   jitter_ns=0         each launch takes up to so much longer, by `seed`
 *   seed=1
 *   idle_mhz=345        multiprocessor clock of an idle GPU,
 *   mhz=1980            and of one that has been busy
 *   ramp_ms=60          for so long
 *   devices=1           how many there are; a process uses one of them
 *   name=...            device name
 *   lost=PATH           once that file exists, the device is lost: every call fails
 *   memory=...          bytes
 *   l2_sticky=0         1: what is in the L2 cache stays there, whatever is read
 *   mps=0               attribute MPS_ENABLED
 *   apart=0             1: a launch from a processor that cuInit, and so the threads of
 *                       a driver, could use is refused
 *   fail=CALL@N:RESULT  the N-th call of that name returns RESULT; without @N every
 * one. An error that loses the context is returned by all later calls. hang=CALL@N the
 * N-th call never returns crash=CALL@N        the N-th call ends in SIGSEGV fail, hang
 * and crash may be repeated. A script that is not understood ends the process with a
 * sentence.
 *
 * BA_FAKE_CUDA_1 has what is different on device 1, and so on: it counts from the moment
 * at which a process chooses that device. UUID and PCI bus id end with the number.
 *
 * A kernel called ba_test_ns_5000 takes 5000 ns of the device; ba_read takes as long as
 * reading takes, with an L2 cache that remembers what was read.
 *
 * A test's launcher library charges its own cost with ba_fake_advance_ns(); tool and
 * test read the clock with ba_fake_now_ns(). All are found with dlsym.
 */
#ifndef FAKECUDA_FAKE_CUDA_H
#define FAKECUDA_FAKE_CUDA_H

#include <stdint.h>

#define BA_FAKE_ENV "BA_FAKE_CUDA"
#define BA_FAKE_NOW "ba_fake_now_ns"
#define BA_FAKE_ADVANCE "ba_fake_advance_ns"
#define BA_FAKE_LAUNCHES "ba_fake_launches"

__attribute__((visibility("default"))) int64_t ba_fake_now_ns(void);
__attribute__((visibility("default"))) void ba_fake_advance_ns(int64_t ns);
/* launches accepted since the library was loaded */
__attribute__((visibility("default"))) uint64_t ba_fake_launches(void);

#endif
