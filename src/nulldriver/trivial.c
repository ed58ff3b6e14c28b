/* The rest of what launch code is known to call: functions that only return
 * "success", and functions whose first or second parameter receives a new handle.
 * They ignore further arguments, as the calling convention allows. */
#include "nulldriver/api.h"
#include "nulldriver/object.h"

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
	X(cuMemcpyDtoD) X(cuMemcpyDtoD_v2) X(cuMemcpyDtoD_v2_ptds) X(cuMemcpyDtoDAsync)   \
	X(cuMemcpyDtoDAsync_v2) X(cuMemcpyDtoDAsync_v2_ptsz)                              \
	X(cuMemcpy2D) X(cuMemcpy2D_v2) X(cuMemcpy2DAsync) X(cuMemcpy2DAsync_v2)           \
	X(cuMemcpy3D) X(cuMemcpy3D_v2) X(cuMemcpy3DAsync) X(cuMemcpy3DAsync_v2)           \
	 X(cuMemsetD16) X(cuMemsetD16_v2) X(cuMemsetD16Async)      \
	X(cuMemsetD32) X(cuMemsetD32_v2) X(cuMemsetD32_v2_ptds)                           \
	X(cuMemsetD2D8) X(cuMemsetD2D8_v2) X(cuMemsetD2D32)      \
	X(cuMemsetD2D32_v2) X(cuMemHostRegister) X(cuMemHostRegister_v2)                  \
	X(cuMemHostUnregister) X(cuMemAdvise) X(cuMemPrefetchAsync)                       \
	X(cuMemPrefetchAsync_v2) X(cuMemPoolDestroy) X(cuMemPoolTrimTo)                   \
	X(cuMemPoolSetAttribute) X(cuMemPoolSetAccess) X(cuPointerSetAttribute)           \
	X(cuStreamWaitEvent) X(cuStreamWaitEvent_ptsz) X(cuStreamAttachMemAsync)          \
	X(cuStreamWaitValue32) X(cuStreamWaitValue32_v2) X(cuStreamWaitValue64)           \
	X(cuStreamWaitValue64_v2) X(cuStreamWriteValue32) X(cuStreamWriteValue32_v2)      \
	X(cuStreamWriteValue64) X(cuStreamWriteValue64_v2) X(cuStreamBatchMemOp)          \
	X(cuStreamBatchMemOp_v2) X(cuStreamSetAttribute) X(cuStreamGetAttribute)          \
	X(cuStreamCopyAttributes) X(cuStreamBeginCaptureToGraph)                          \
	X(cuGraphLaunch) X(cuGraphLaunch_ptsz) X(cuGraphUpload) X(cuGraphUpload_ptsz)     \
	X(cuGraphExecDestroy) X(cuGraphAddDependencies)                                   \
	X(cuGraphExecKernelNodeSetParams) X(cuGraphExecKernelNodeSetParams_v2)            \
	X(cuGraphKernelNodeSetParams) X(cuGraphKernelNodeSetParams_v2)                    \
	X(cuGraphExecUpdate) X(cuGraphExecUpdate_v2) X(cuGraphDestroyNode)                \
	X(cuGraphKernelNodeSetAttribute)                                                  \
	X(cuProfilerStart) X(cuProfilerStop) X(cuProfilerInitialize)                      \
	X(cuLinkAddData) X(cuLinkAddData_v2) X(cuLinkDestroy)

/* name, which parameter receives the handle */
#define NEW_HANDLE(X)                                                                     \
	X(cuGraphInstantiate, 0) X(cuGraphInstantiate_v2, 0)                              \
	X(cuGraphInstantiateWithFlags, 0) X(cuGraphInstantiateWithParams, 0)              \
	X(cuGraphInstantiateWithParams_ptsz, 0) X(cuGraphAddKernelNode, 0)                \
	X(cuGraphAddKernelNode_v2, 0) X(cuGraphAddMemcpyNode, 0)                          \
	X(cuGraphAddMemsetNode, 0) X(cuGraphAddEmptyNode, 0) X(cuGraphAddHostNode, 0)     \
	X(cuGraphAddNode, 0) X(cuGraphAddNode_v2, 0) X(cuGraphClone, 0)                   \
	X(cuMemPoolCreate, 0) X(cuDeviceGetDefaultMemPool, 0) X(cuDeviceGetMemPool, 0)
/* clang-format on */

#define SUCCESS(name)             \
	API(name, void)           \
	{                         \
		HOOK_ENTER(name); \
		return 0;         \
	}
SAY_SUCCESS(SUCCESS)

#define HANDLE(name, index)                                                         \
	API(name, void **first, void **second)                                      \
	{                                                                           \
		HOOK_ENTER(name);                                                   \
		*((index) ? second : first) = object_new(OBJECT_OTHER, NULL, NULL); \
		return 0;                                                           \
	}
NEW_HANDLE(HANDLE)

API_SAY(cuDeviceCanAccessPeer, can, 0, int *can, cu_device device, cu_device peer)

/* Tables of functions that only NVIDIA's own libraries know. NVRTC, nvJitLink and the
 * runtime library look this function up and call it unchecked. */
API(cuGetExportTable, const void **table, const cu_uuid *id)
{
	HOOK_ENTER(cuGetExportTable);
	if (!table)
		return BA_CU_INVALID_VALUE;
	*table = NULL;
	return BA_CU_NOT_SUPPORTED;
}
