/* The tables of a cubin, which is an ELF file of machine EM_CUDA. Internal to this
 * module. */
#ifndef CUBIN_ELF_H
#define CUBIN_ELF_H

#include <elf.h>

#include "base/base.h"

#define BA_ELF_CUDA 190

/* The size by its tables of an ELF file that begins at `elf`; 0: its tables are not
 * within `most` bytes, or its size is absurd. */
size_t ba_elf_bytes(const void *elf, size_t most);

#endif
