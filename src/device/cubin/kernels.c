#include "cubin/kernels.h"

BA_OWNS(ba_kernel_code, k, BA_FREE(k->name, k->mangled, k->open))

BA_OWNS(ba_kernel_codes, k, BA_FREE_ARRAY(ba_kernel_code_dispose, k->items, k->count))

ba_kernel_verdict ba_kernel_compare(
	const ba_kernel_code *base, const ba_kernel_code *mine, const char **why)
{
	*why = base->open ? base->open : mine->open;
	if (*why)
		return BA_KERNEL_OPEN;
	if (strcmp(base->whole, mine->whole) == 0)
		return BA_KERNEL_SAME;
	if (strcmp(base->code, mine->code) != 0)
		return BA_KERNEL_CHANGED;
	if (strcmp(base->limits, mine->limits) != 0)
		return BA_KERNEL_OTHER_LIMITS;
	if (strcmp(base->data, mine->data) != 0)
		return BA_KERNEL_OTHER_DATA;
	*why = strcmp(base->names, mine->names) != 0
		       ? "it uses other variables of equal content, or they were renamed"
		       : "it reads constants at an address that is not known, and they changed";
	return BA_KERNEL_OPEN;
}
