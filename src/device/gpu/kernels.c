#include "gpu/module.h"

#include "base/embed.h"

BA_EMBED(ba_kernel_spin, BA_KERNEL_DIR "/spin.ptx");
BA_EMBED(ba_kernel_proof, BA_KERNEL_DIR "/proof.ptx");
BA_EMBED(ba_kernel_read, BA_KERNEL_DIR "/read.ptx");
BA_EMBED(ba_kernel_ceiling, BA_KERNEL_DIR "/ceiling.ptx");
BA_EMBED(ba_kernel_ceiling_hopper, BA_KERNEL_DIR "/ceiling_hopper.ptx");
