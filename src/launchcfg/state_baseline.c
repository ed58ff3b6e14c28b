/* baseline: no state. Config and arguments are passed down; no code can ask for them. */
#include "state.h"

int lcfg_state_enter(lcfg_state_saved *saved, const lcfg_config *config, const lcfg_args *args)
{
	(void)saved;
	(void)config;
	(void)args;
	return 0;
}

void lcfg_state_leave(const lcfg_state_saved *saved)
{
	(void)saved;
}

int lcfg_state_compile_enter(lcfg_state_saved *saved, lcfg_frame *frame)
{
	(void)saved;
	(void)frame;
	return 0;
}

void lcfg_state_compile_leave(const lcfg_state_saved *saved)
{
	(void)saved;
}

const lcfg_config *lcfg_state_config(void)
{
	return NULL;
}

const lcfg_args *lcfg_state_args(void)
{
	return NULL;
}

lcfg_frame *lcfg_state_frame(void)
{
	return NULL;
}

const char *lcfg_state_name(void)
{
	return "baseline";
}
