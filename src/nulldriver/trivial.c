/* The rest of what launch code is known to call: functions that only return
 * "success", and functions whose first parameter receives a new handle.
 * They ignore further arguments, as the calling convention allows. */
#include <stdio.h>
#include <string.h>

#include "nulldriver/api.h"
#include "nulldriver/object.h"
#include "nulldriver/record.h"

/* clang-format off */
#define SAY_SUCCESS(X)                                                                    \
	X(cuFuncLoad) X(cuFuncSetAttribute) X(cuKernelSetAttribute)                       \
	X(cuFuncSetCacheConfig) X(cuKernelSetCacheConfig) X(cuFuncSetSharedMemConfig)     \
	X(cuFuncSetBlockShape) X(cuFuncSetSharedSize) X(cuParamSetSize) X(cuParamSetv)    \
	X(cuCtxSetLimit) X(cuCtxSetCacheConfig) X(cuCtxSetSharedMemConfig)                \
	X(cuCtxSetFlags) X(cuCtxResetPersistingL2Cache) X(cuCtxEnablePeerAccess)          \
	X(cuCtxDisablePeerAccess) X(cuCtxRecordEvent) X(cuCtxWaitEvent)                   \
	X(cuDevicePrimaryCtxReset) X(cuDevicePrimaryCtxReset_v2) X(cuDeviceSetMemPool)    \
	X(cuMemcpy) X(cuMemcpy_ptds) X(cuMemcpyAsync) X(cuMemcpyAsync_ptsz)               \
	X(cuMemcpyPeer) X(cuMemcpyPeerAsync)                                              \
	X(cuMemcpyDtoD_v2_ptds) X(cuMemcpyDtoDAsync) X(cuMemcpyDtoDAsync_v2)              \
	X(cuMemcpyDtoDAsync_v2_ptsz) X(cuMemcpy2D) X(cuMemcpy2D_v2) X(cuMemcpy2DAsync)    \
	X(cuMemcpy2DAsync_v2) X(cuMemcpy3D) X(cuMemcpy3D_v2) X(cuMemcpy3DAsync)           \
	X(cuMemcpy3DAsync_v2) X(cuMemsetD16) X(cuMemsetD16_v2) X(cuMemsetD16Async)        \
	X(cuMemsetD32) X(cuMemsetD32_v2) X(cuMemsetD32_v2_ptds) X(cuMemsetD2D8)           \
	X(cuMemsetD2D8_v2) X(cuMemsetD2D32) X(cuMemsetD2D32_v2) X(cuMemHostRegister)      \
	X(cuMemHostRegister_v2) X(cuMemHostUnregister) X(cuMemAdvise)                     \
	X(cuMemPrefetchAsync) X(cuMemPrefetchAsync_v2) X(cuMemPoolTrimTo)                 \
	X(cuMemPoolSetAccess) X(cuPointerSetAttribute) X(cuStreamWaitEvent)               \
	X(cuStreamWaitEvent_ptsz) X(cuStreamAttachMemAsync) X(cuStreamWaitValue32)        \
	X(cuStreamWaitValue32_v2) X(cuStreamWaitValue64) X(cuStreamWaitValue64_v2)        \
	X(cuStreamWriteValue32) X(cuStreamWriteValue32_v2) X(cuStreamWriteValue64)        \
	X(cuStreamWriteValue64_v2) X(cuStreamBatchMemOp) X(cuStreamBatchMemOp_v2)         \
	X(cuStreamSetAttribute) X(cuStreamCopyAttributes) X(cuGraphLaunch)                \
	X(cuGraphLaunch_ptsz) X(cuGraphUpload) X(cuGraphUpload_ptsz)                      \
	X(cuGraphExecKernelNodeSetParams) X(cuGraphExecKernelNodeSetParams_v2)            \
	X(cuGraphKernelNodeSetParams) X(cuGraphKernelNodeSetParams_v2)                    \
	X(cuGraphExecUpdate) X(cuGraphExecUpdate_v2) X(cuGraphDestroyNode)                \
	X(cuGraphKernelNodeSetAttribute) X(cuProfilerStart) X(cuProfilerStop)             \
	X(cuProfilerInitialize) X(cuMemAdvise_v2) X(cuMemDiscardAndPrefetchBatchAsync)    \
	X(cuMemDiscardAndPrefetchBatchAsync_ptsz) X(cuMemDiscardBatchAsync)               \
	X(cuMemDiscardBatchAsync_ptsz) X(cuMemPrefetchAsync_ptsz)                         \
	X(cuMemPrefetchAsync_v2_ptsz) X(cuMemPrefetchBatchAsync)                          \
	X(cuMemPrefetchBatchAsync_ptsz) X(cuMemcpy2DAsync_v2_ptsz)                        \
	X(cuMemcpy2DUnaligned) X(cuMemcpy2DUnaligned_v2) X(cuMemcpy2DUnaligned_v2_ptds)   \
	X(cuMemcpy2D_v2_ptds) X(cuMemcpy3DAsync_v2_ptsz) X(cuMemcpy3DBatchAsync)          \
	X(cuMemcpy3DBatchAsync_ptsz) X(cuMemcpy3DBatchAsync_v2)                           \
	X(cuMemcpy3DBatchAsync_v2_ptsz) X(cuMemcpy3DPeer) X(cuMemcpy3DPeerAsync)          \
	X(cuMemcpy3DPeerAsync_ptsz) X(cuMemcpy3DPeer_ptds) X(cuMemcpy3D_v2_ptds)          \
	X(cuMemcpyBatchAsync) X(cuMemcpyBatchAsync_ptsz) X(cuMemcpyBatchAsync_v2)         \
	X(cuMemcpyBatchAsync_v2_ptsz) X(cuMemcpyPeerAsync_ptsz) X(cuMemcpyPeer_ptds)      \
	X(cuMemsetD16Async_ptsz) X(cuMemsetD16_v2_ptds) X(cuMemsetD2D16)                  \
	X(cuMemsetD2D16Async) X(cuMemsetD2D16Async_ptsz) X(cuMemsetD2D16_v2)              \
	X(cuMemsetD2D16_v2_ptds) X(cuMemsetD2D32Async) X(cuMemsetD2D32Async_ptsz)         \
	X(cuMemsetD2D32_v2_ptds) X(cuMemsetD2D8Async) X(cuMemsetD2D8Async_ptsz)           \
	X(cuMemsetD2D8_v2_ptds) X(cuStreamAttachMemAsync_ptsz)                            \
	X(cuStreamBatchMemOp_ptsz) X(cuStreamBatchMemOp_v2_ptsz)                          \
	X(cuStreamCopyAttributes_ptsz) X(cuStreamSetAttribute_ptsz)                       \
	X(cuStreamWaitValue32_ptsz) X(cuStreamWaitValue32_v2_ptsz)                        \
	X(cuStreamWaitValue64_ptsz) X(cuStreamWaitValue64_v2_ptsz)                        \
	X(cuStreamWriteValue32_ptsz) X(cuStreamWriteValue32_v2_ptsz)                      \
	X(cuStreamWriteValue64_ptsz) X(cuStreamWriteValue64_v2_ptsz)

#define NEW_HANDLE(X)                                                                     \
	X(cuGraphInstantiate) X(cuGraphInstantiate_v2) X(cuGraphInstantiateWithFlags)     \
	X(cuGraphInstantiateWithParams) X(cuGraphInstantiateWithParams_ptsz)
/* clang-format on */

#define SUCCESS(name)             \
	API(name, void)           \
	{                         \
		HOOK_ENTER(name); \
		return 0;         \
	}
SAY_SUCCESS(SUCCESS)

#define HANDLE(name)                                         \
	API(name, void **out)                                \
	{                                                    \
		HOOK_ENTER(name);                            \
		*out = object_new(OBJECT_OTHER, NULL, NULL); \
		return 0;                                    \
	}
NEW_HANDLE(HANDLE)

API(cuGraphExecDestroy, void *handle)
{
	HOOK_ENTER(cuGraphExecDestroy);
	return object_delete(handle, OBJECT_OTHER) ? 0 : BA_CU_INVALID_HANDLE;
}

API_SAY(cuDeviceCanAccessPeer, can, 0, int *can, cu_device device, cu_device peer)

/* There is nothing to encode for: a tensor map is 128 bytes. */
API(cuTensorMapEncodeTiled, void *map)
{
	HOOK_ENTER(cuTensorMapEncodeTiled);
	memset(map, 0, 128);
	return 0;
}
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col)
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapEncodeIm2colWide)
API_ALIAS(cuTensorMapEncodeTiled, cuTensorMapReplaceAddress)

/* the table without which the CUDA runtime does not start */
static const unsigned char runtime_table[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
	0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
static const char *refused;

EXPORT const char *ba_host_driver_refused(void);
EXPORT const char *ba_host_driver_refused(void)
{
	return __atomic_load_n(&refused, __ATOMIC_ACQUIRE);
}

/* Tables of functions that only NVIDIA's own libraries know. NVRTC and nvJitLink look
 * this function up, call it unchecked, and do without the table; the CUDA runtime does
 * not. */
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
