/*
 * family: replies forged
 * kind:   command
 * idea:   the program prints a fortieth of the time
 * gate:   what a program prints about itself cannot acquit it
 */
#include "tricks.h"

double attack_report(double ns)
{
	evidence("lies");
	return ns / 40;
}
