/*
 * The host of the GPU: its identity, and causes of noise. Facts are read from /proc and
 * /sys without privileges; ba_host_judge() is a pure function of these facts.
 */
#pragma once

#include "gpu/trust.h"

/* A field is "" or -1 if the system does not report it. */
typedef struct ba_host_info {
	char host_name[128];
	char cpu_model[128];
	char kernel[128];
	char governor[32];    /* of the pinned CPU, else of the first CPU */
	char clocksource[32]; /* "tsc", "kvm-clock", ... */
	char isolated[128];   /* CPUs kept free by the kernel's command line: "2-3" */
	char gpu_cpus[256];   /* CPUs near the GPU, "0-15" */
	int cpus;	      /* online */
	int allowed_cpus;     /* CPUs that this process may use */
	int pinned_cpu;	      /* as given to ba_host_info_collect() */
	int turbo;	      /* 1 on, 0 off */
	int smt;	      /* 1: cores have two threads in use */
	bool virtual_machine;
	double load_average;  /* over the last minute */
	double cgroup_cpus;   /* limit in CPUs; 0: none */
	double steal_ratio;   /* share of the time since boot that other VMs took */
	double timer_read_ns; /* as given to ba_host_info_collect() */
} ba_host_info;

/* root: prefix of /proc and /sys, "" outside tests. pci_bus_id: the GPU's, or NULL.
 * pinned_cpu: -1 for none. timer_read_ns: from ba_timer_measure(), 0 for unknown. */
void ba_host_info_collect(ba_host_info *out, const char *root, const char *pci_bus_id,
	int pinned_cpu, double timer_read_ns);

/* Adds a finding, with a remedy, for each fact that makes this host noisy. Adds no
 * refusals. */
void ba_host_judge(ba_trust_findings *out, const ba_host_info *in);

/* Copies text into out[size], cut if it does not fit; NULL is "". */
void ba_host_copy(char *out, size_t size, const char *text);

/* Content of root + name without white space at its end; "" if it cannot be read. Caller frees. */
char *ba_host_read(const char *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* How many CPUs a list such as "0-3,8" names; -1 if it is not a list. */
int ba_cpu_list_count(const char *list);
