/* Names of C++ functions as people write them. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

/* "_Z3foov" -> "foo()", safe for a terminal. Other names are unchanged, and all names
 * on a machine without the C++ runtime. Caller frees. */
char *ba_demangle(const char *name);

#endif
