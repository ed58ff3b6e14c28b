/* The functions of stubs.def, and the rest of what the driver exports. Stubs ignore further
 * arguments, as the calling convention allows. */

#include "nulldriver/parts.h"

#define SUCCESS(name) API_RETURN(name, 0, void)
#define HANDLE(name) API_SAY(name, out, object_new(OBJECT_OTHER, NULL, NULL), void **out)
#define UNSUPPORTED(name) API_RETURN(name, BA_CU_NOT_SUPPORTED, void)
#ifdef BA_FAKE_CUDA
#define UNSUPPORTED_ON_HOST(name)
#else
#define UNSUPPORTED_ON_HOST(name) UNSUPPORTED(name)
#endif

#include "nulldriver/stubs.def"

/* There is nothing to encode for: a tensor map is 128 bytes. */
API_DO(cuTensorMapEncodeTiled, memset(map, 0, 128), void *map)
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col)
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapEncodeIm2colWide)
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapReplaceAddress)

/* the table that the CUDA runtime needs to start */
static const unsigned char runtime_table[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
	0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
static const char *refused;

EXPORT const char *ba_host_driver_refused(void);
EXPORT const char *ba_host_driver_refused(void)
{
	return __atomic_load_n(&refused, __ATOMIC_ACQUIRE);
}

/* Tables of functions that only NVIDIA's own libraries know. NVRTC and nvJitLink look
 * this function up, call it unchecked, and work without the table; the CUDA runtime
 * does not. */
API(cuGetExportTable, const void **table, const cu_uuid *id)
{
	HOOK_ENTER(cuGetExportTable);
	if (!table)
		return BA_CU_INVALID_VALUE;
	*table = NULL;
	if (id && !memcmp(id->bytes, runtime_table, sizeof(runtime_table)) &&
		!__atomic_exchange_n(&refused, HOOK_NO_RUNTIME, __ATOMIC_ACQ_REL))
		fprintf(stderr, "bench-against: %s\n", HOOK_NO_RUNTIME);
	return BA_CU_NOT_SUPPORTED;
}
