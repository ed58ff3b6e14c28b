/*
 * Errors: a negative code for the program and a sentence for the user.
 *
 * Functions that can fail return 0 or a negative BA_E code and take `ba_error *err`
 * last; err may be NULL. On failure they leave their out-parameters untouched.
 *
 * The sentence says what is wrong, where, and what to do, in words that the user knows.
 * Names are in single quotes. It says what is wrong, not that something "failed".
 */
#pragma once

#include <stdarg.h>

/* clang-format off */
/* code, exit status (README.md) */
#define BA_ERROR_MAP(X) \
	X(BA_EIO,          125)  /* a system call failed */                           \
	X(BA_ENOTFOUND,    129)  /* no such ref, file, benchmark */                   \
	X(BA_EINVAL,       129)  /* the command line is wrong */                      \
	X(BA_ECONFIG,      129)  /* the configuration is wrong */                     \
	X(BA_EREPO,        129)  /* not a repository, or an unusable one */           \
	X(BA_EBUILD,       125)  /* a variant does not build */                       \
	X(BA_ETIMEOUT,     125)  /* a deadline passed */                              \
	X(BA_ELIBRARY,     125)  /* a variant's library cannot be used */             \
	X(BA_EGPU,         125)  /* no GPU, or a driver call failed */                \
	X(BA_ESIMULATED,   125)  /* not a real GPU */                                 \
	X(BA_EPROTOCOL,    125)  /* an answer breaks the protocol */                  \
	X(BA_EWORKER,      125)  /* a worker died */                                  \
	X(BA_EVARIANT,     125)  /* the variant's code misbehaved */                  \
	X(BA_EDATA,        129)  /* a result file that cannot be read */              \
	X(BA_EINTERRUPTED, 130)  /* a signal asked us to stop */                      \
	X(BA_EUNSUPPORTED, 125)  /* this build or machine cannot do it */
/* clang-format on */

enum ba_error_code {
	BA_OK = 0,
#define BA_ERROR_ENUM(code, status) code##_POSITIVE,
	BA_ERROR_MAP(BA_ERROR_ENUM)
#undef BA_ERROR_ENUM
};
enum {
#define BA_ERROR_NEGATIVE(code, status) code = -(int)code##_POSITIVE,
	BA_ERROR_MAP(BA_ERROR_NEGATIVE)
#undef BA_ERROR_NEGATIVE
};

typedef struct ba_error {
	int code;
	char text[1536]; /* one line or several; never ends with a newline */
} ba_error;

/* Set the error and return its code: `return ba_fail(err, BA_EIO, "...", ...)`. */
int ba_fail(ba_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* The same, with ": " and strerror(errno) appended. */
int ba_fail_errno(ba_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Put "context: " before the sentence that err holds; returns err's code. */
int ba_fail_context(ba_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Gives an error that was set another code; returns that code. err may be NULL. */
int ba_error_as(ba_error *err, int code);

/* A step whose failure the function passes on: BA_TRY(ba_fs_mkdirs(dir, err)); returns
 * the step's code from the function if that is not 0. */
#define BA_TRY(step)                     \
	do {                             \
		int ba_code_ = (step);   \
		if (ba_code_)            \
			return ba_code_; \
	} while (0)

int ba_error_exit_status(int code); /* 125, 129, ... ; 0 for 0 */

/*
 * BA_REQUIRE(condition): what a caller owes a function. Every build checks it. A broken
 * requirement is a mistake in this program: the process prints the file, the line and the
 * condition to the standard error, and aborts. Do not use it for data that comes from a
 * file, a process or a repository: such data gets an error with a sentence.
 */
#define BA_REQUIRE(condition) \
	((condition) ? (void)0 : ba_require_failed(__FILE__, __LINE__, #condition))
void ba_require_failed(const char *file, int line, const char *condition)
	__attribute__((noreturn, cold));

/* ---- how modules below cli report what a user may want to know: only cli prints ---- */

typedef enum ba_log_level {
	BA_LOG_DEBUG,	/* with -v */
	BA_LOG_INFO,	/* progress that deserves a line */
	BA_LOG_WARNING, /* warnings contain advice */
} ba_log_level;

typedef struct ba_log {
	void (*line)(void *data, ba_log_level level, const char *text);
	void *data;
} ba_log;

/* log may be NULL: nothing happens */
void ba_log_printf(const ba_log *log, ba_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__
/* tells the analyser that a failure is never 0 */
static inline int ba_never_0(int code)
{
	return code < 0 ? code : -1;
}
#define ba_fail(...) ba_never_0(ba_fail(__VA_ARGS__))
#define ba_fail_errno(...) ba_never_0(ba_fail_errno(__VA_ARGS__))
#define ba_fail_context(...) ba_never_0(ba_fail_context(__VA_ARGS__))
#endif
