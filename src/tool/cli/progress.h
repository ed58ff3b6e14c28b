/* Progress on stderr: on a terminal one line that is rewritten, with the time left, once
 * a run has taken a second; elsewhere a line every 20 s. With BA_PROGRESS_PLAIN, it
 * prints a line for each new phase and every ten per cent.
 *
 * The clock is an argument (nanoseconds of CLOCK_MONOTONIC), so that tests can set it.
 * Writes that fail are ignored: progress never ends a run. */
#pragma once

#include "base/base.h"

typedef enum ba_progress_mode {
	BA_PROGRESS_AUTO, /* LINE on a terminal, else PLAIN every 20 s */
	BA_PROGRESS_LINE,
	BA_PROGRESS_PLAIN,
	BA_PROGRESS_NEVER,
} ba_progress_mode;

/* the words of --progress in that order, NULL-terminated */
extern const char *const ba_progress_modes[];

typedef struct ba_progress {
	int fd;
	ba_progress_mode mode; /* never AUTO after init */
	bool unicode;
	size_t width;	  /* columns; 0: ask the terminal each time */
	int64_t every_ns; /* between plain lines; 0: one every ten per cent */
	int64_t began_ns, phase_ns, drawn_ns;
	double fraction; /* progress of the phase; negative: unknown */
	double printed;	 /* fraction of the last plain line */
	char *phase, *text;
	bool shown; /* a line is on the screen */
} ba_progress;

/* fd is borrowed */
void ba_progress_init(ba_progress *p, int fd, ba_progress_mode mode, bool unicode, int64_t now_ns);
void ba_progress_dispose(ba_progress *p); /* clears the line */

/* Starts a phase ("building 2 variants"). The remaining time is for this phase. */
void ba_progress_phase(ba_progress *p, const char *phase, int64_t now_ns);

/* Sets the progress of the phase (0 .. 1, negative: unknown), and its current item (may
 * be NULL). Cheap: the terminal is written at most ten times a second. */
void ba_progress_set(ba_progress *p, double fraction, const char *text, int64_t now_ns);

/* Removes the line from the screen, so that other text can be written there. */
void ba_progress_clear(ba_progress *p);

/* Writes a line above the progress line, which is then redrawn. */
void ba_progress_log(ba_progress *p, const char *line, int64_t now_ns);

/* The line as it would be drawn, without control sequences, at most `width` columns. */
void ba_progress_render(ba_buf *out, const ba_progress *p, int64_t now_ns, size_t width);

/* "0:07", "1:23:45" */
void ba_progress_time(ba_buf *out, double seconds);

/* columns of the terminal behind fd, or COLUMNS, or 80 */
size_t ba_terminal_width(int fd);
