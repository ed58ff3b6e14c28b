/* What each of the three implementations of the per-launch state promises. */
#include "support.h"

static bool is(const char *name)
{
	return strcmp(STATE, name) == 0;
}

typedef struct seen {
	const lcfg_args *args;
	const lcfg_config *config;
	int n;
} seen;

static int look(const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	seen *s = data;
	(void)config;
	(void)err;
	s->args = lcfg_current_args();
	s->config = lcfg_peek_config();
	s->n = *(const int *)args->values[1];
	return 0;
}

TEST(the_library_says_which_one_it_is)
{
	assert_string_equal(lcfg_state_name(), STATE);
}

WORLD_TEST(a_callback_gets_config_and_args_in_every_build)
{
	world *w = *state;
	seen s = {0};
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, look, &s, &w->err));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(s.n, 3);
	/* args during the launch; the config only where every launch sets it */
	assert_true((s.args != NULL) == !is("baseline"));
	assert_true((s.config != NULL) == is("contextvar"));
	assert_null(lcfg_current_args());
	assert_null(lcfg_current_config());
	lcfg_config_free(config);
}

WORLD_TEST(a_generator_can_ask_except_in_baseline)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	if (is("baseline")) {
		assert_refused(w, launch_block(w, 32), LCFG_ENOCONFIG,
			"no launch config set for this thread: this build (baseline) "
			"keeps "
			"none");
		return;
	}
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(w->nvrtc->compiles, 2);
	assert_null(lcfg_current_config());
}

WORLD_TEST(declared_sensitivity_works_in_every_build)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	desc.sensitive = 1;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 2);
	assert_refused(w, lcfg_compile(w->dispatcher, float_ptr_int, &w->err), LCFG_ENOCONFIG,
		"no launch config set");
	world_restart(w);
	desc = desc_of(w, generate_plain);
	desc.sensitive = 1;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 64));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 0);
}

static lcfg_dispatcher *inner;

/* a launch from inside a callback is against the rules, but must not lose the state */
static int launch_inside(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	const lcfg_args *before = lcfg_current_args();
	void *values[] = {NULL, NULL};
	lcfg_shape shape = {.grid = {1}, .block = {8}};
	(void)config;
	(void)data;
	int rc = lcfg_launch_shape(inner, &shape, float_ptr_int, values, err);
	assert_ptr_equal(lcfg_current_args(), before);
	if (!is("baseline"))
		assert_ptr_equal(before, args);
	return rc;
}

WORLD_TEST(launches_nest)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	inner = dispatcher_of(w, &desc);
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, launch_inside, NULL, &w->err));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->cuda->launches, 2);
	assert_null(lcfg_current_args());
	lcfg_config_free(config);
	lcfg_dispatcher_free(inner);
}

WORLD_TEST(a_failed_launch_restores_the_state)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	w->cuda->fail_launch = 719;
	assert_refused(w, launch_block(w, 32), LCFG_EDRIVER, "(719)");
	assert_null(lcfg_current_args());
	assert_null(lcfg_peek_config());
	w->cuda->fail_launch = 0;
	assert_ok(w, launch_block(w, 32));
}
