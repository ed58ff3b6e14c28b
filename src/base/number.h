/* Numbers for people: as many digits as the spread of the thing deserves. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

#include "base/buf.h"

/* Decimals with which `spread` shows two significant digits and `value` at most six,
 * 0 .. 4. Where there is no spread (0, NaN, infinite), three digits of the value. */
int ba_number_decimals(double value, double spread);

/* With `sign`, a plus too. What rounds to zero has no sign. Not finite: "-". */
void ba_number_put(ba_buf *out, double value, int decimals, bool sign);

/* 1.041 -> "+4.1 %"; decimals 0 .. 3, as from ba_percent_decimals */
void ba_percent_put(ba_buf *out, double ratio, int decimals);

/* 1.036, 1.047 -> "+3.6 .. +4.7 %"; an end that is not known: "?" */
void ba_percent_interval_put(ba_buf *out, double low, double high, int decimals);

/* decimals that an interval of these ratios deserves: 2 under half a per cent wide,
 * ...; 1 where it is not known */
int ba_percent_decimals(double low, double high);

/* a threshold or level as it was meant: 0.02 -> "2 %", 0.015 -> "1.5 %" */
void ba_percent_plain(ba_buf *out, double part);
/* "2 %", or "1.5 % to 2 %" where the two do not read alike */
void ba_percent_range_put(ba_buf *out, double least, double most);

#endif
