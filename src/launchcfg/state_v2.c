/* v2: two thread-local slots. A launch stores its arguments; the compilation slot is
 * written only when something compiles. */
#include "state.h"

/* initial-exec: an offset from the thread pointer instead of a call per access, also in
 * a library opened with dlopen. Two pointers fit the loader's reserve for that. */
static _Thread_local const lcfg_args *args_slot __attribute__((tls_model("initial-exec")));
static _Thread_local lcfg_frame *frame_slot __attribute__((tls_model("initial-exec")));

int lcfg_state_enter(lcfg_state_saved *saved, const lcfg_config *config, const lcfg_args *args)
{
	(void)config;
	saved->slot[0] = args_slot;
	args_slot = args;
	return 0;
}

void lcfg_state_leave(const lcfg_state_saved *saved)
{
	args_slot = saved->slot[0];
}

int lcfg_state_compile_enter(lcfg_state_saved *saved, lcfg_frame *frame)
{
	saved->slot[1] = frame_slot;
	frame_slot = frame;
	return 0;
}

void lcfg_state_compile_leave(const lcfg_state_saved *saved)
{
	frame_slot = (lcfg_frame *)(uintptr_t)saved->slot[1];
}

const lcfg_config *lcfg_state_config(void)
{
	return frame_slot ? frame_slot->config : NULL;
}

const lcfg_args *lcfg_state_args(void)
{
	return args_slot;
}

lcfg_frame *lcfg_state_frame(void)
{
	return frame_slot;
}

const char *lcfg_state_name(void)
{
	return "v2";
}
