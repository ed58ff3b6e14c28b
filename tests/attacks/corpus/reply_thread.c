/*
 * family: replies forged
 * kind:   launcher
 * idea:   a thread writes a report of
 *         its own before the worker does, from the descriptor that it finds
 * gate:   one answer a request: a second one is a broken conversation, and the variant fails
 */
#include "tricks.h"

static volatile bool on;

static void write_before(void)
{
	char text[4096] = "{\"t\":\"measured\",\"at\":[1],\"ns\":[";
	for (int i = 0; i < 8; i++)
		strcat(text, i ? ",9000" : "9000");
	strcat(text, "]}\n");
	while (!on)
		usleep(20);
	evidence("wrote to the reply descriptor");
	if (write(4, text, strlen(text)) < 0)
		evidence("could not write");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches == 20)
		thread(write_before);
	on = on || k->launches > WARM;
	spin(cost);
	return submit(k, c, args);
}
