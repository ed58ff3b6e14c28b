/* The number of elements of an array. Use it with arrays only, never with a pointer. */
#pragma once

#define BA_COUNT(array) (sizeof(array) / sizeof((array)[0]))
