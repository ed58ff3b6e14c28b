/*
 * What nearly every file uses: memory, errors, strings, lists of strings, paths. Other
 * headers of base are included by name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
