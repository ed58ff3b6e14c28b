/* Names of C++ functions as people write them. */
#pragma once

/* "_Z3foov" -> "foo()", safe for a terminal. Other names are unchanged, and all names
 * on a machine without the C++ runtime. Caller frees. */
char *ba_demangle(const char *name);
/* "queue::push(int, std::less<int>) const", demangled, without its parameters. Caller frees. */
char *ba_demangle_short(const char *name);
