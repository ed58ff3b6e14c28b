/*
 * What nearly every file uses: the common parts of libc, memory, errors, strings, lists and sets of
 * strings, paths, numbers in text, words of a shell, lines that fit a terminal, order, hashes, random
 * numbers, the clock, a log. It includes them for all; other headers of base and of the system are
 * included by name.
 */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/each.h"
#include "base/embed.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/text.h"
