/*
 * What nearly every file uses: memory, errors, strings, lists of strings, paths. Other
 * headers of base are included by name.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"

#endif
