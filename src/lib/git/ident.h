/*
 * The attribute `ident` as git applies it: every `$Id$` of a file is expanded on
 * checkout and shrunk again on the way in. libgit2 1.5 expands only the first one of a
 * file.
 */
#pragma once

#include "base/base.h"

/* `$Id$`, and what git expanded before, become `$Id: <hex> $`, where hex is the blob id
 * of the text. Expansions of other systems ("$Id: a.c 1.2 user $") stay. False, with
 * *out untouched, if there is nothing to expand. */
bool ba_ident_expand(ba_buf *out, const char *text, size_t size);

/* `$Id: anything $` becomes `$Id$`. False, with *out untouched, if there is none. */
bool ba_ident_shrink(ba_buf *out, const char *text, size_t size);

/* Registers this filter with libgit2; call it once, after git_libgit2_init. libgit2's
 * own `ident` stays, but does nothing to a text without an id: load filter lists
 * without a blob. Returns 0 or an error of libgit2. */
int ba_ident_register(void);
