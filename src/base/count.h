/* The number of elements of an array. Of an array only: a pointer does not say. */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#define BA_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
