/* Pre-launch callbacks. */
#include "support.h"

#include "dispatcher.h"

typedef struct note {
	char *trail;
	char letter;
} note;

static int leave_letter(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	const note *n = data;
	(void)err;
	assert_non_null(config);
	assert_int_equal(args->count, 2);
	assert_int_equal(*(const int *)args->values[1], 3);
	n->trail[strlen(n->trail)] = n->letter;
	return 0;
}

static int refuse_quietly(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)data;
	(void)err;
	return -77;
}

WORLD_TEST(callbacks_run_in_the_order_of_adding_before_the_driver)
{
	world *w = *state;
	char trail[16] = "";
	note a = {trail, 'a'};
	note b = {trail, 'b'};
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, leave_letter, &a, &w->err));
	assert_ok(w, lcfg_callback_add(config, leave_letter, &b, &w->err));
	assert_ok(w, lcfg_callback_add(config, leave_letter, &a, &w->err));
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(trail, "aba");
	/* the last of two equal ones goes */
	assert_ok(w, lcfg_callback_remove(config, leave_letter, &a, &w->err));
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(trail, "abaab");
	lcfg_config_free(config);
}

WORLD_TEST(callbacks_belong_to_the_key_and_outlive_the_config)
{
	world *w = *state;
	char trail[16] = "";
	note a = {trail, 'a'};
	dispatcher_new(w, generate_by_block);
	lcfg_config *config = config_of(w, 64);
	assert_ok(w, lcfg_callback_add(config, leave_letter, &a, &w->err));
	lcfg_config_free(config);
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(trail, "");
	/* block 64 is served by a child, and its callbacks run once */
	assert_ok(w, launch_block(w, 64));
	assert_string_equal(trail, "a");
	assert_int_equal(lcfg_dispatcher_child_count(w->dispatcher), 1);
}

WORLD_TEST(an_error_stops_the_callbacks_behind_it)
{
	world *w = *state;
	char trail[16] = "";
	note a = {trail, 'a'};
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, refuse_quietly, NULL, &w->err));
	assert_ok(w, lcfg_callback_add(config, leave_letter, &a, &w->err));
	assert_refused(w, launch_block(w, 32), -77, "callback 0 returned -77");
	assert_string_equal(trail, "");
	assert_int_equal(w->cuda->launches, 0);
	lcfg_config_free(config);
}

WORLD_TEST(adding_and_removing_for_ever_takes_no_more_memory)
{
	world *w = *state;
	char trail[16] = "";
	note a = {trail, 'a'};
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	for (int i = 0; i < 100000; i++) {
		assert_ok(w, lcfg_callback_add(config, leave_letter, &a, &w->err));
		assert_ok(w, lcfg_callback_remove(config, leave_letter, &a, &w->err));
	}
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(trail, "");
	size_t lists = 0;
	for (lcfg_callbacks *c = config->slot->callback_lists; c; c = c->older)
		lists++;
	assert_int_equal(lists, 1);
	lcfg_config_free(config);
}
