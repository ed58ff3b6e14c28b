/* What every file of this library uses. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launchcfg/launchcfg.h"

/* A step whose failure the function passes on: returns its code if that is not 0. */
#define LCFG_TRY(step)                     \
	do {                               \
		int lcfg_code_ = (step);   \
		if (lcfg_code_)            \
			return lcfg_code_; \
	} while (0)
/* Memory that was asked for: the function fails if there is none. */
#define LCFG_NEED(pointer, err) \
	LCFG_TRY((pointer) ? 0 : lcfg_fail((err), LCFG_ENOMEM, "out of memory"))

/* Holds a lock until the end of the scope, also if code that it calls throws. */
#define LCFG_HOLD(mutex) \
	pthread_mutex_t *lcfg_held_ __attribute__((cleanup(lcfg_unlock), unused)) = lcfg_lock(mutex)

static inline pthread_mutex_t *lcfg_lock(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	return mutex;
}

static inline void lcfg_unlock(pthread_mutex_t **held)
{
	pthread_mutex_unlock(*held);
}
