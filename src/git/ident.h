/*
 * The attribute `ident` as git applies it: every `$Id$` of a file is expanded on the
 * way out, and shrunk again on the way in. libgit2 1.5 expands the first of a file
 * alone.
 */
#ifndef GIT_IDENT_H
#define GIT_IDENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* `$Id$` and what git expanded before become `$Id: <hex> $`, where hex is the blob id
 * of the text; what another system expanded ("$Id: a.c 1.2 user $") stays. False, and
 * *out is untouched: there is nothing to expand. */
bool ba_ident_expand(ba_buf *out, const char *text, size_t size);

/* `$Id: anything $` becomes `$Id$`. False, and *out is untouched: there is none. */
bool ba_ident_shrink(ba_buf *out, const char *text, size_t size);

/* To libgit2's filters, beside its own `ident`, which does nothing to a text without an
 * id: load filter lists without a blob. Once, after git_libgit2_init. 0, or an error of
 * libgit2's. */
int ba_ident_register(void);

#endif
