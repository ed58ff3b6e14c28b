/*
 * BA_REQUIRE(condition): what a caller owes a function. Every build checks it.
 *
 * A broken requirement is a mistake in this program: the process prints the file, the
 * line and the condition to the standard error, and aborts. Do not use it for data that
 * comes from a file, a process or a repository: such data gets an error with a sentence
 * (base/error.h).
 */
#ifndef BASE_REQUIRE_H
#define BASE_REQUIRE_H

#define BA_REQUIRE(condition) \
	((condition) ? (void)0 : ba_require_failed(__FILE__, __LINE__, #condition))

void ba_require_failed(const char *file, int line, const char *condition)
	__attribute__((noreturn, cold));

#endif
