/*
 * Variables that free themselves at the end of their scope (as systemd's _cleanup_).
 *
 *     BA_AUTO_FREE char *path = ba_path_join(dir, name);
 *     BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
 *     BA_AUTO_FD int fd = open(...);
 *     return BA_TAKE(path);
 *
 * The header of a type has one of these, once:
 *
 *     BA_DECLARE_DISPOSE(ba_buf)         a value:  declares ba_buf_dispose(&value) for BA_AUTO
 *     BA_DECLARE_FREE(ba_json)           a handle: declares ba_json_free(handle) for BA_AUTO_PTR
 *     BA_DEFINE_AUTO(type, dispose)      the same with a function that has another name,
 *     BA_DEFINE_AUTO_PTR(type, free_fn)  or that is declared elsewhere
 */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "base/each.h"

#define BA_CLEANUP(fn) __attribute__((cleanup(fn)))
#define BA_DEFINE_AUTO(type, dispose)               \
	static inline void type##_auto(type *value) \
	{                                           \
		dispose(value);                     \
	}
#define BA_DEFINE_AUTO_PTR(type, free_fn)                 \
	static inline void type##_auto_ptr(type **handle) \
	{                                                 \
		free_fn(*handle);                         \
	}
#define BA_DECLARE_DISPOSE(type)          \
	void type##_dispose(type *value); \
	BA_DEFINE_AUTO(type, type##_dispose)
#define BA_DECLARE_FREE(type)           \
	void type##_free(type *handle); \
	BA_DEFINE_AUTO_PTR(type, type##_free)
/* BA_OWNS(ba_commit, c, BA_FREE(c->describe, c->subject), ba_strv_dispose(&c->parents)) defines
 * ba_commit_dispose(), which frees what *c owns, in this order, and leaves it empty.
 * BA_OWNS_HERE: for a type of one file, which BA_AUTO takes. BA_OWNS_HANDLE defines ba_json_free(),
 * which also frees the handle; NULL is fine. */
#define BA_OWNS(type, value, ...)        \
	void type##_dispose(type *value) \
	{                                \
		__VA_ARGS__;             \
		*(value) = (type){0};    \
	}
#define BA_OWNS_HERE(type, value, ...)                                   \
	static BA_OWNS(type, value, __VA_ARGS__) __attribute__((unused)) \
	BA_DEFINE_AUTO(type, type##_dispose)
#define BA_OWNS_HANDLE(type, handle, ...) \
	void type##_free(type *handle)    \
	{                                 \
		if (handle)               \
			__VA_ARGS__;      \
		free(handle);             \
	}
#define BA_AUTO(type) BA_CLEANUP(type##_auto)
#define BA_AUTO_PTR(type) BA_CLEANUP(type##_auto_ptr)

static inline void ba_auto_free(void *p)
{
	void **pointer = p;
	free(*pointer);
}

static inline void ba_auto_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Frees several pointers, each of which may be NULL: BA_FREE(v->label, v->spec); */
#define BA_FREE(...)                                               \
	__extension__({                                            \
		void *const ba_each_[] = {__VA_ARGS__};            \
		for (size_t i_ = 0; i_ < BA_COUNT(ba_each_); i_++) \
			free(ba_each_[i_]);                        \
	})
/* BA_DISPOSE(ba_buf, &r->id, &r->text): ba_buf_dispose() of each */
#define BA_DISPOSE(type, ...)                                      \
	__extension__({                                            \
		type *const ba_each_[] = {__VA_ARGS__};            \
		for (size_t i_ = 0; i_ < BA_COUNT(ba_each_); i_++) \
			type##_dispose(ba_each_[i_]);              \
	})
/* Disposes of all elements of an allocated array, which may be NULL, and frees it. */
#define BA_FREE_ARRAY(dispose, array, count) BA_FREE_EACH(x_, array, count, dispose(x_))
/* The same with what each element x owns:
 * BA_FREE_EACH(x, t->tools, t->count, BA_FREE(x->name, x->path), ba_strv_dispose(&x->env)); */
#define BA_FREE_EACH(x, array, count, ...) \
	(BA_EMPTY_EACH(x, array, count, __VA_ARGS__), free(array))
/* The same, but the array is not freed: it is a member, or is used again. */
#define BA_EMPTY_EACH(x, array, count, ...)                                 \
	__extension__({                                                     \
		__typeof__((array) + 0) x = (array);                        \
		for (size_t x##_n = x ? (count) : 0; x##_n; x##_n--, x++) { \
			__VA_ARGS__;                                        \
		}                                                           \
	})

#define BA_AUTO_FREE BA_CLEANUP(ba_auto_free)
#define BA_AUTO_FD BA_CLEANUP(ba_auto_close)

/* The value of the pointer, which then is NULL: the scope no longer frees it. */
#define BA_TAKE(p)                             \
	__extension__({                        \
		__typeof__(p) ba_taken_ = (p); \
		(p) = NULL;                    \
		ba_taken_;                     \
	})
/* The value of a struct, which then is empty: *out = BA_MOVE(points); */
#define BA_MOVE(value)                                 \
	__extension__({                                \
		__typeof__(value) ba_moved_ = (value); \
		(value) = (__typeof__(value)){0};      \
		ba_moved_;                             \
	})
