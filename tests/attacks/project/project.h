/* The project under attack: a launcher library and a program, both of C, whose cost is
 * that of spin(cost). Attacks define the functions that are weak in launcher.c. */
#ifndef PROJECT_H
#define PROJECT_H

#include "launcher.h"

#ifdef __has_include
#if __has_include("scale.h")
#include "scale.h" /* beside a GPU launches cost more, and so must the work */
#endif
#endif
#ifndef SCALE
#define SCALE 1
#endif
#define FAST (400 * SCALE) /* what the baseline costs; candidates cost more: cost.h */
#define FAKE (50 * SCALE)  /* what a candidate seems to cost that hides its work */

typedef struct ba_launcher_kernel {
	void *module, *function;
	unsigned long launches;
} kernel;

extern unsigned cost; /* turns of spin() in each launch */
void spin(unsigned turns);
int submit(kernel *k, const ba_launcher_config *c, void **args);

/* Tells the test that the attack came here, in a few words: as the name of a file in
 * memory, which can be seen from outside of a sandbox, and on standard error. */
void tell_evidence(const char *format, ...);
/* once from each place: it is called in launches */
#define evidence(...)                               \
	do {                                        \
		static char told;                   \
		if (!told) {                        \
			told = 1;                   \
			tell_evidence(__VA_ARGS__); \
		}                                   \
	} while (0)

void attack_open(const ba_launcher_host *host);
void attack_prepare(kernel *k);
int attack_launch(kernel *k, const ba_launcher_config *c, void **args);
void attack_release(kernel *k);
/* of the program: before it measures, and what it prints for the time that it took */
void attack_main(int argc, char **argv);
double attack_report(double ns);

#endif
