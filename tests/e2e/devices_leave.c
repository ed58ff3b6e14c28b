/* What a device or its process does wrong does not end a run on several. */
#include "devices.h"

#include <signal.h>
#include <unistd.h>

TEST_GROUP(e2e_set_up, NULL);

/* ---- one leaves ---- */

#define NVML_AND(key, value)                   \
	e2e_env("BA_FAKE_NVML_LIBRARY", NVML); \
	e2e_env("BA_FAKE_NVML", "alone");      \
	e2e_env(key, value)

TEST(a_busy_gpu_takes_no_part_and_is_named)
{
	e2e t = begin("cost110");
	NVML_AND("BA_FAKE_NVML_1", "busy");
	e2e_against(&t, "--device", "0,1,2", "--fixed", "6", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_int_equal(e2e_count(&t, "origins"), 2);
	assert_has(t.out, "GPU 1 took no part: 2 other processes use the GPU");
	end(&t);
}

TEST(a_gpu_that_does_not_start_takes_no_part)
{
	e2e t = begin("cost110");
	e2e_env("BA_FAKE_CUDA_1", "fail=cuDevicePrimaryCtxRetain:999");
	e2e_against(&t, "--device", "0,1", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_int_equal(e2e_count(&t, "origins"), 1);
	assert_has(t.out, "GPU 1 took no part");
	end(&t);
}

static void wait_for_text(const char *path, const char *what)
{
	e2e_wait_for(path);
	for (bool there = false; !there;) {
		BA_AUTO_FREE char *text = e2e_text_of(path);
		there = strstr(text, what) != NULL;
		usleep(2000);
	}
}

/* Device 1 is lost after some invocations: what failed then is the device, not a
 * variant. */
TEST(a_gpu_that_dies_leaves_and_what_it_made_stays)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *gone = ba_xprintf("%s/gone", t.dir);
	BA_AUTO_FREE char *script = ba_xprintf("lost=%s", gone);
	BA_AUTO_FREE char *journal = ba_xprintf("%s.journal", t.json);
	e2e_env("BA_FAKE_CUDA_1", script);
	e2e_start_against(&t, "--device", "0,1", "--fixed", "60", "old", "new");
	wait_for_text(journal, "\"origin\":1");
	assert_int_equal(ba_fs_write(gone, "", 0, 0600, NULL), 0);
	e2e_wait(&t);
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_string_equal(e2e_failure(&t, 1), "");
	assert_has(t.out, "GPU 1 left the run after ");
	assert_true(strlen(e2e_text(&t, "origins.1.left")) > 0);
	assert_true(made_by(&t, 1) > 0);
	assert_int_equal(made_by(&t, 0) + made_by(&t, 1), 60);
	e2e_check_verifies(&t);
	end(&t);
}

/* The plugin's benchmarks are timed on the GPU. */
TEST(a_gpu_that_is_throttled_leaves)
{
	e2e t = begin_plugin();
	NVML_AND("BA_FAKE_NVML_1", "throttle=1-1000000");
	e2e_against(&t, "--metrics", "gpu_cold", "--device", "0,1", "old", "new");
	assert_status(&t, 1);
	assert_int_equal(made_by(&t, 1), 0);
	assert_has(t.out, "GPU 1 took no part");
	assert_has(t.out, "something holds the GPU's clock down (hardware thermal)");
	e2e_check_verifies(&t);
	end(&t);
}

/* ---- somebody is killed ---- */

static pid_t member_of(const e2e *t, const char *id)
{
	char *path = NULL;
	const char *const find[] = {"sh", "-c",
		"sed -n 's/.*\"pid\": *\\([0-9]*\\).*/\\1/p' run/*/desk/members/$0.json", id, NULL};
	assert_int_equal(run_program(&path, t->cache, find, NULL, 0), 0);
	pid_t pid = (pid_t)strtol(path, NULL, 10);
	free(path);
	assert_true(pid > 1);
	return pid;
}

TEST(a_killed_member_loses_one_invocation_and_nothing_else)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *journal = ba_xprintf("%s.journal", t.json);
	e2e_start_against(&t, "--device", "0,1", "--fixed", "40", "old", "new");
	wait_for_text(journal, "\"origin\":1");
	assert_int_equal(kill(member_of(&t, "gpu1"), SIGKILL), 0);
	e2e_wait(&t);
	assert_status(&t, 1);
	double ratio = e2e_ratio(&t, 1);
	assert_has(t.out, "GPU 1 left the run after ");
	assert_has(t.out, "killed by signal 9");
	assert_true(made_by(&t, 1) > 0);
	assert_int_equal(made_by(&t, 0) + made_by(&t, 1), 40);
	assert_no_desk(&t);
	e2e_check_verifies(&t);
	/* the clock is virtual: the very same answer as of one device */
	e2e_against(&t, "--fixed", "40", "old", "new");
	assert_close(e2e_ratio(&t, 1), ratio, 1e-12);
	end(&t);
}

/* Nobody is left but the member that has made it already. */
TEST(what_is_damaged_on_the_desk_is_measured_again)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *journal = ba_xprintf("%s.journal", t.json);
	const char *const damage[] = {"sh", "-c",
		"while ! ls run/*/desk/done/*; do sleep 0.01; done; for f in run/*/desk/done/*; do echo no >$f; done",
		NULL};
	char *said = NULL;
	e2e_start_against(&t, "--device", "0,1", "--fixed", "40", "old", "new");
	wait_for_text(journal, "\"origin\":1");
	assert_int_equal(kill(member_of(&t, "gpu1"), SIGKILL), 0);
	assert_int_equal(kill(t.pid, SIGSTOP), 0);
	assert_int_equal(run_program(&said, t.cache, damage, NULL, 0), 0);
	free(said);
	assert_int_equal(kill(t.pid, SIGCONT), 0);
	e2e_wait(&t);
	assert_status(&t, 1);
	assert_has(t.err, "is measured again");
	assert_int_equal(made_by(&t, 0) + made_by(&t, 1), 40);
	assert_no_desk(&t);
	e2e_check_verifies(&t);
	end(&t);
}

/* Half a file on the desk, of a member that may live. */
TEST(a_damaged_member_leaves_and_the_others_measure)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *journal = ba_xprintf("%s.journal", t.json);
	const char *const damage[] = {"sh", "-c",
		"for d in run/*/desk/members; do echo '{\"id\": \"gpu7\"' >$d/gpu7.json; done",
		NULL};
	char *said = NULL;
	e2e_start_against(&t, "--device", "0,1", "--fixed", "60", "old", "new");
	wait_for_text(journal, "\"origin\":1");
	assert_int_equal(kill(t.pid, SIGSTOP), 0);
	assert_int_equal(run_program(&said, t.cache, damage, NULL, 0), 0);
	free(said);
	assert_int_equal(kill(t.pid, SIGCONT), 0);
	e2e_wait(&t);
	assert_status(&t, 1);
	assert_has(t.err, "gpu7 took no part: its file cannot be read: ");
	assert_has(t.err, "/members/gpu7.json");
	assert_int_equal(made_by(&t, 0) + made_by(&t, 1), 60);
	assert_no_desk(&t);
	e2e_check_verifies(&t);
	end(&t);
}

TEST(a_killed_coordinator_is_resumed)
{
	e2e t = begin("cost110");
	e2e_stop_at(5, SIGKILL);
	e2e_start_against(&t, "--device", "0,1", "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 1);
	assert_has(t.out, "resumed after an interruption: the first ");
	assert_int_equal(e2e_count(&t, "origins"), 2);
	assert_int_equal(made_by(&t, 0) + made_by(&t, 1), 12);
	e2e_check_verifies(&t);
	end(&t);
}

/* It was about to start when the coordinator was killed: nobody ends it. */
TEST(a_member_without_its_coordinator_leaves)
{
	char *said = NULL;
	const char *const member[] = {"sh", "-c",
		"exec timeout 60 $0 --member run/*/desk --device 0 --id gpu2 --parent 1 2>&1",
		BA_BINARY_DIR "/bin/bench-against", NULL};
	e2e t = begin("cost110");
	e2e_stop_at(5, SIGKILL);
	e2e_start_against(&t, "--device", "0,1", "--fixed", "12", "old", "new");
	free(e2e_stopped(&t, SIGKILL));
	int status = run_program(&said, t.cache, member, NULL, 0);
	if (status)
		fail_msg("status %d: %s", status, said);
	free(said);
	end(&t);
}

TEST(ctrl_c_ends_all_members_and_removes_the_desk)
{
	e2e t = begin("cost110");
	e2e_stop_at(5, SIGINT);
	e2e_start_against(&t, "--device", "0,1", "--fixed", "60", "old", "new");
	free(e2e_stopped(&t, SIGINT));
	assert_has(t.err, "--resume");
	assert_int_equal(e2e_left(&t), 0);
	assert_no_desk(&t);
	end(&t);
}

/* ---- a variant that misbehaves ---- */

TEST(what_fails_on_one_device_has_failed)
{
	e2e t = begin("crash_launch");
	e2e_against(&t, "--device", "0,1", "old", "new");
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "SIGSEGV");
	end(&t);
}

TEST(an_engine_that_one_changes_is_changed_for_all)
{
	e2e t = begin("crash_in_company");
	e2e_against(&t, "--device", "0,1", "--fixed", "8", "old", "new");
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_int_equal(made_by(&t, 0), 4);
	assert_int_equal(made_by(&t, 1), 4);
	e2e_check_verifies(&t);
	end(&t);
}

TEST(another_model_is_refused_by_name)
{
	e2e t = begin("cost110");
	e2e_env("BA_FAKE_CUDA_2", "name=FAKE OTHER");
	e2e_against(&t, "--device", "0,2", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "GPU 2: it is a 'FAKE OTHER'");
	assert_has(t.err, "GPUs of different models are not pooled");
	e2e_against(&t, "--device", "all", "--fixed", "6", "old", "new");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "origins"), 2);
	assert_has(t.out, "GPU 2 took no part: it is a 'FAKE OTHER'");
	end(&t);
}

TEST(if_nobody_is_left_there_is_no_answer)
{
	e2e t = begin("cost110");
	e2e_env("BA_FAKE_NVML_LIBRARY", NVML);
	e2e_env("BA_FAKE_NVML", "busy");
	e2e_against(&t, "--device", "0,1", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "nobody is left to measure");
	assert_has(t.err, "GPU 0 took no part");
	assert_has(t.err, "GPU 1 took no part");
	assert_null(t.doc);
	assert_no_desk(&t);
	end(&t);
}
