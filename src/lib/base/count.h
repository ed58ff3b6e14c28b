/* The number of elements of an array. Use it with arrays only, never with a pointer. */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#define BA_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
