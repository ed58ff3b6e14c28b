/*
 * family: replies forged
 * kind:   launcher
 * idea:   prepare() does not return: it answers the host's requests itself, with times that it
 *         invents
 * gate:   a visit whose reported time does not fill the time from request to reply is rejected
 */
#include "tricks.h"

static unsigned long long number_of(const char *line, const char *key)
{
	const char *at = strstr(line, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void say(const char *text)
{
	if (write(4, text, strlen(text)) < 0)
		_exit(1);
}

static void answer_measure(const char *line, double ns)
{
	unsigned long long batch = number_of(line, "\"batch\":"), n;
	unsigned long long blocks = number_of(line, "\"blocks\":");
	n = number_of(line, "\"readings\":") * blocks * number_of(line, "\"positions\":");
	FILE *f = fdopen(dup(4), "w");
	fprintf(f, "{\"t\":\"measured\",\"at\":[");
	for (unsigned long long i = 0; i < blocks; i++)
		fprintf(f, "%s%llu", i ? "," : "", i * 1000);
	fprintf(f, "],\"ns\":[");
	for (unsigned long long i = 0; i < n; i++)
		fprintf(f, "%s%llu", i ? "," : "",
			(unsigned long long)(ns * (double)batch) + (unsigned)rand() % 3 + 1);
	fprintf(f, "]}\n");
	fclose(f);
}

/* what FAKE turns take, which is less than the baseline's */
static double fake_ns(void)
{
	double start = seconds();
	spin(100000);
	return (seconds() - start) * 1e9 / 100000 * FAKE;
}

void attack_prepare(kernel *k)
{
	char *line = NULL;
	size_t capacity = 0;
	char path[PATH_MAX];
	(void)k;
	/* beside the baseline, somebody else answers */
	if (mapped(getpid(), "/launcher.so", path)) {
		evidence("is not alone");
		return;
	}
	evidence("took over");
	double ns = fake_ns();
	FILE *in = fdopen(3, "r");
	say("{\"t\":\"prepared\",\"present\":[1]}\n");
	while (in && getline(&line, &capacity, in) > 0) {
		if (strstr(line, "\"t\":\"measure\""))
			answer_measure(line, ns);
		else if (strstr(line, "\"t\":\"prepare\""))
			say("{\"t\":\"prepared\",\"present\":[1]}\n");
		else if (strstr(line, "\"t\":\"release\""))
			say("{\"t\":\"released\"}\n");
		else if (strstr(line, "\"t\":\"count\""))
			say("{\"t\":\"counted\",\"way\":\"auto\",\"instructions\":[100,100,100],"
			    "\"text\":\"\",\"fault\":false}\n");
		else
			say("{\"t\":\"closed\"}\n");
	}
	_exit(0);
}
