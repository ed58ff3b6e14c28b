/* What the driver of CUDA 13.0 exports and ours do not do: textures, arrays, external
 * memory, addresses reserved before there is memory, parts of a GPU, and the like. A program that loads
 * all names at its start finds them, and each call says so. A function with other
 * parameters has a name of its own, so these need none. */
#include "nulldriver/api.h"

/* clang-format off */
#define UNSUPPORTED(X)                                                                    \
	X(cuArray3DCreate) X(cuArray3DCreate_v2) X(cuArray3DGetDescriptor)                \
	X(cuArray3DGetDescriptor_v2) X(cuArrayCreate) X(cuArrayCreate_v2)                 \
	X(cuArrayDestroy) X(cuArrayGetDescriptor) X(cuArrayGetDescriptor_v2)              \
	X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane)                                \
	X(cuArrayGetSparseProperties) X(cuCheckpointProcessCheckpoint)                    \
	X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState)           \
	X(cuCheckpointProcessLock) X(cuCheckpointProcessRestore)                          \
	X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute)                            \
	X(cuCoredumpGetAttributeGlobal) X(cuCoredumpSetAttribute)                         \
	X(cuCoredumpSetAttributeGlobal) X(cuCtxAttach) X(cuCtxDetach)                     \
	X(cuCtxFromGreenCtx) X(cuCtxGetCacheConfig) X(cuCtxGetDevResource)                \
	X(cuCtxGetExecAffinity) X(cuCtxGetSharedMemConfig) X(cuDestroyExternalMemory)     \
	X(cuDestroyExternalSemaphore) X(cuDevResourceGenerateDesc)                        \
	X(cuDevSmResourceSplitByCount) X(cuDeviceGetDevResource)                          \
	X(cuDeviceGetExecAffinitySupport) X(cuDeviceGetGraphMemAttribute)                 \
	X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid)                           \
	X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities)             \
	X(cuDeviceGetP2PAttribute) X(cuDeviceGetProperties)                               \
	X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDeviceGraphMemTrim)                     \
	X(cuDeviceRegisterAsyncNotification) X(cuDeviceSetGraphMemAttribute)              \
	X(cuDeviceUnregisterAsyncNotification) X(cuExternalMemoryGetMappedBuffer)         \
	X(cuExternalMemoryGetMappedMipmappedArray) X(cuFlushGPUDirectRDMAWrites)          \
	X(cuGraphAddBatchMemOpNode) X(cuGraphAddDependencies)                             \
	X(cuGraphAddDependencies_v2) X(cuGraphAddExternalSemaphoresSignalNode)            \
	X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphAddMemAllocNode)                 \
	X(cuGraphAddMemFreeNode) X(cuGraphBatchMemOpNodeGetParams)                        \
	X(cuGraphBatchMemOpNodeSetParams) X(cuGraphClone)                                 \
	X(cuGraphConditionalHandleCreate) X(cuGraphDebugDotPrint)                         \
	X(cuGraphEventRecordNodeGetEvent) X(cuGraphEventRecordNodeSetEvent)               \
	X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent)                   \
	X(cuGraphExecBatchMemOpNodeSetParams) X(cuGraphExecChildGraphNodeSetParams)       \
	X(cuGraphExecEventRecordNodeSetEvent) X(cuGraphExecEventWaitNodeSetEvent)         \
	X(cuGraphExecExternalSemaphoresSignalNodeSetParams)                               \
	X(cuGraphExecExternalSemaphoresWaitNodeSetParams) X(cuGraphExecGetFlags)          \
	X(cuGraphExecHostNodeSetParams) X(cuGraphExecMemcpyNodeSetParams)                 \
	X(cuGraphExecMemsetNodeSetParams) X(cuGraphExecNodeSetParams)                     \
	X(cuGraphExternalSemaphoresSignalNodeGetParams)                                   \
	X(cuGraphExternalSemaphoresSignalNodeSetParams)                                   \
	X(cuGraphExternalSemaphoresWaitNodeGetParams)                                     \
	X(cuGraphExternalSemaphoresWaitNodeSetParams) X(cuGraphHostNodeGetParams)         \
	X(cuGraphHostNodeSetParams) X(cuGraphKernelNodeCopyAttributes)                    \
	X(cuGraphMemAllocNodeGetParams) X(cuGraphMemFreeNodeGetParams)                    \
	X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeSetParams)                       \
	X(cuGraphNodeFindInClone) X(cuGraphNodeGetEnabled) X(cuGraphNodeSetEnabled)       \
	X(cuGraphNodeSetParams) X(cuGraphRemoveDependencies)                              \
	X(cuGraphRemoveDependencies_v2) X(cuGraphicsMapResources)                         \
	X(cuGraphicsMapResources_ptsz) X(cuGraphicsResourceGetMappedMipmappedArray)       \
	X(cuGraphicsResourceGetMappedPointer) X(cuGraphicsResourceGetMappedPointer_v2)    \
	X(cuGraphicsResourceSetMapFlags) X(cuGraphicsResourceSetMapFlags_v2)              \
	X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources)                \
	X(cuGraphicsUnmapResources_ptsz) X(cuGraphicsUnregisterResource)                  \
	X(cuGreenCtxCreate) X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource)              \
	X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) X(cuGreenCtxStreamCreate)             \
	X(cuGreenCtxWaitEvent) X(cuImportExternalMemory) X(cuImportExternalSemaphore)     \
	X(cuIpcCloseMemHandle) X(cuIpcGetEventHandle) X(cuIpcGetMemHandle)                \
	X(cuIpcOpenEventHandle) X(cuIpcOpenMemHandle) X(cuIpcOpenMemHandle_v2)            \
	X(cuLaunch) X(cuLaunchCooperativeKernelMultiDevice) X(cuLaunchGrid)               \
	X(cuLaunchGridAsync) X(cuLibraryEnumerateKernels) X(cuLibraryGetKernelCount)      \
	X(cuLibraryGetManaged) X(cuLibraryGetUnifiedFunction) X(cuLinkAddData)            \
	X(cuLinkAddData_v2) X(cuLinkAddFile) X(cuLinkAddFile_v2) X(cuLinkComplete)        \
	X(cuLinkCreate) X(cuLinkCreate_v2) X(cuLinkDestroy) X(cuLogsCurrent)              \
	X(cuLogsDumpToFile) X(cuLogsDumpToMemory) X(cuLogsRegisterCallback)               \
	X(cuLogsUnregisterCallback)                                                       \
	X(cuMemBatchDecompressAsync) X(cuMemBatchDecompressAsync_ptsz)                    \
	X(cuMemGetAccess)                                                                 \
	X(cuMemGetAllocationPropertiesFromHandle)                                         \
	X(cuMemGetHandleForAddressRange)                                                  \
	X(cuMemMapArrayAsync) X(cuMemMapArrayAsync_ptsz) X(cuMemPoolExportPointer)        \
	X(cuMemPoolExportToShareableHandle) X(cuMemPoolImportFromShareableHandle)         \
	X(cuMemPoolImportPointer) X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes)    \
	X(cuMemRetainAllocationHandle)                                                    \
	X(cuMemSetMemPool) X(cuMemcpyAtoA) X(cuMemcpyAtoA_v2)                             \
	X(cuMemcpyAtoA_v2_ptds) X(cuMemcpyAtoD) X(cuMemcpyAtoD_v2)                        \
	X(cuMemcpyAtoD_v2_ptds) X(cuMemcpyAtoH) X(cuMemcpyAtoHAsync)                      \
	X(cuMemcpyAtoHAsync_v2) X(cuMemcpyAtoHAsync_v2_ptsz) X(cuMemcpyAtoH_v2)           \
	X(cuMemcpyAtoH_v2_ptds) X(cuMemcpyDtoA) X(cuMemcpyDtoA_v2)                        \
	X(cuMemcpyDtoA_v2_ptds) X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync)                      \
	X(cuMemcpyHtoAAsync_v2) X(cuMemcpyHtoAAsync_v2_ptsz) X(cuMemcpyHtoA_v2)           \
	X(cuMemcpyHtoA_v2_ptds) X(cuMipmappedArrayCreate) X(cuMipmappedArrayDestroy)      \
	X(cuMipmappedArrayGetLevel) X(cuMipmappedArrayGetMemoryRequirements)              \
	X(cuMipmappedArrayGetSparseProperties) X(cuModuleEnumerateFunctions)              \
	X(cuModuleGetFunctionCount) X(cuModuleGetSurfRef) X(cuModuleGetTexRef)            \
	X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem)              \
	X(cuMulticastCreate) X(cuMulticastGetGranularity) X(cuMulticastUnbind)            \
	X(cuParamSetTexRef) X(cuParamSetf) X(cuParamSeti)                                 \
	X(cuSignalExternalSemaphoresAsync) X(cuSignalExternalSemaphoresAsync_ptsz)        \
	X(cuStreamUpdateCaptureDependencies) X(cuStreamUpdateCaptureDependencies_ptsz)    \
	X(cuStreamUpdateCaptureDependencies_v2)                                           \
	X(cuStreamUpdateCaptureDependencies_v2_ptsz) X(cuSurfObjectCreate)                \
	X(cuSurfObjectDestroy) X(cuSurfObjectGetResourceDesc) X(cuSurfRefGetArray)        \
	X(cuSurfRefSetArray) X(cuTexObjectCreate) X(cuTexObjectDestroy)                   \
	X(cuTexObjectGetResourceDesc) X(cuTexObjectGetResourceViewDesc)                   \
	X(cuTexObjectGetTextureDesc) X(cuTexRefCreate) X(cuTexRefDestroy)                 \
	X(cuTexRefGetAddress) X(cuTexRefGetAddressMode) X(cuTexRefGetAddress_v2)          \
	X(cuTexRefGetArray) X(cuTexRefGetBorderColor) X(cuTexRefGetFilterMode)            \
	X(cuTexRefGetFlags) X(cuTexRefGetFormat) X(cuTexRefGetMaxAnisotropy)              \
	X(cuTexRefGetMipmapFilterMode) X(cuTexRefGetMipmapLevelBias)                      \
	X(cuTexRefGetMipmapLevelClamp) X(cuTexRefGetMipmappedArray)                       \
	X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) X(cuTexRefSetAddress2D_v2)          \
	X(cuTexRefSetAddress2D_v3) X(cuTexRefSetAddressMode) X(cuTexRefSetAddress_v2)     \
	X(cuTexRefSetArray) X(cuTexRefSetBorderColor) X(cuTexRefSetFilterMode)            \
	X(cuTexRefSetFlags) X(cuTexRefSetFormat) X(cuTexRefSetMaxAnisotropy)              \
	X(cuTexRefSetMipmapFilterMode) X(cuTexRefSetMipmapLevelBias)                      \
	X(cuTexRefSetMipmapLevelClamp) X(cuTexRefSetMipmappedArray)                       \
	X(cuWaitExternalSemaphoresAsync) X(cuWaitExternalSemaphoresAsync_ptsz)

/* of these, the tests' fake driver has its own */
#define UNSUPPORTED_ON_HOST(X)                                                            \
	X(cuMemAddressFree) X(cuMemAddressReserve) X(cuMemCreate)                         \
	X(cuMemExportToShareableHandle) X(cuMemGetAllocationGranularity)                  \
	X(cuMemImportFromShareableHandle) X(cuMemMap) X(cuMemRelease) X(cuMemSetAccess)   \
	X(cuMemUnmap)
/* clang-format on */

#define NOT_SUPPORTED(name)                 \
	API(name, void)                     \
	{                                   \
		HOOK_ENTER(name);           \
		return BA_CU_NOT_SUPPORTED; \
	}
UNSUPPORTED(NOT_SUPPORTED)
#ifndef BA_FAKE_CUDA
UNSUPPORTED_ON_HOST(NOT_SUPPORTED)
#endif
