/* Runs NVIDIA's disassembler if this machine has it; the tool also works without. */
#ifndef DISASM_NVDISASM_H
#define DISASM_NVDISASM_H

#include <signal.h>

#include "disasm/listing.h"
#include "sandbox/sandbox.h"

/* The program `name` of a CUDA toolkit: on the PATH, in CUDA_HOME or CUDA_PATH, or
 * where toolkits are usually installed. Caller frees; NULL: not found. */
char *ba_toolkit_find(const char *name);
/* where ba_toolkit_find() searches, for messages */
#define BA_TOOLKIT_PLACES "PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda/bin"

typedef struct ba_nvdisasm {
	const char *program;
	int64_t limit_ns; /* of one call */
	const volatile sig_atomic_t *stop;
	/* sandbox with access to the program and the cubin; NULL: none. Foreign code
	 * may be crafted to mislead a disassembler. */
	const ba_sandbox *sandbox;
} ba_nvdisasm;

/* The code of one kernel of the cubin; symbol: its index in the cubin's table. *out was
 * zeroed. BA_EUNSUPPORTED with a sentence: nvdisasm failed, or its output makes no
 * sense; BA_EINTERRUPTED. */
int ba_nvdisasm_read(ba_listing *out, const ba_nvdisasm *d, const char *cubin, const char *kernel,
	uint64_t symbol, ba_error *err);

#endif
