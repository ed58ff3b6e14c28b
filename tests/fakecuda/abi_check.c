/*
 * Our own declarations of the driver's interface against a real cuda.h. Most of it is
 * checked by compiling; the test itself says which CUDA it was compared with. Built
 * only where a cuda.h is found.
 */
#include "test.h"

#include <cuda.h>

#include "gpu/abi.h"

#define SAME_VALUE(ours, theirs, value) static_assert((long)(ours) == (long)(theirs), #theirs);
BA_CU_CONSTANT_MAP(SAME_VALUE)
#undef SAME_VALUE

static_assert(sizeof(cu_uuid) == sizeof(CUuuid), "CUuuid");
static_assert(sizeof(cu_deviceptr) == sizeof(CUdeviceptr), "CUdeviceptr");
static_assert(sizeof(cu_device) == sizeof(CUdevice), "CUdevice");
static_assert(sizeof(cu_launch_config) == sizeof(CUlaunchConfig), "CUlaunchConfig");
static_assert(sizeof(cu_launch_attribute) == sizeof(CUlaunchAttribute), "attribute");
#define SAME_PLACE(ours, our_field, theirs, their_field) \
	static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field), #their_field)
SAME_PLACE(cu_launch_config, grid_x, CUlaunchConfig, gridDimX);
SAME_PLACE(cu_launch_config, block_x, CUlaunchConfig, blockDimX);
SAME_PLACE(cu_launch_config, shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME_PLACE(cu_launch_config, stream, CUlaunchConfig, hStream);
SAME_PLACE(cu_launch_config, attrs, CUlaunchConfig, attrs);
SAME_PLACE(cu_launch_config, attr_count, CUlaunchConfig, numAttrs);
static_assert(sizeof(cu_kernel_node_params) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2),
	"CUDA_KERNEL_NODE_PARAMS_v2");
SAME_PLACE(cu_kernel_node_params, shared_bytes, CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes);
SAME_PLACE(cu_kernel_node_params, params, CUDA_KERNEL_NODE_PARAMS_v2, kernelParams);
SAME_PLACE(cu_kernel_node_params, extra, CUDA_KERNEL_NODE_PARAMS_v2, extra);
SAME_PLACE(cu_kernel_node_params, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
static_assert(sizeof(cu_memset_node_params) == sizeof(CUDA_MEMSET_NODE_PARAMS),
	"CUDA_MEMSET_NODE_PARAMS");
SAME_PLACE(cu_memset_node_params, value, CUDA_MEMSET_NODE_PARAMS, value);
SAME_PLACE(cu_memset_node_params, width, CUDA_MEMSET_NODE_PARAMS, width);
static_assert(sizeof(cu_memcpy3d) == sizeof(CUDA_MEMCPY3D), "CUDA_MEMCPY3D");
SAME_PLACE(cu_memcpy3d, from.memory_type, CUDA_MEMCPY3D, srcMemoryType);
SAME_PLACE(cu_memcpy3d, from.device, CUDA_MEMCPY3D, srcDevice);
SAME_PLACE(cu_memcpy3d, to.memory_type, CUDA_MEMCPY3D, dstMemoryType);
SAME_PLACE(cu_memcpy3d, to.device, CUDA_MEMCPY3D, dstDevice);
SAME_PLACE(cu_memcpy3d, width_bytes, CUDA_MEMCPY3D, WidthInBytes);
static_assert(sizeof(cu_mem_properties) == sizeof(CUmemAllocationProp), "CUmemAllocationProp");
SAME_PLACE(cu_mem_properties, handle_types, CUmemAllocationProp, requestedHandleTypes);
SAME_PLACE(cu_mem_properties, location, CUmemAllocationProp, location);
static_assert(sizeof(cu_mem_access) == sizeof(CUmemAccessDesc), "CUmemAccessDesc");
SAME_PLACE(cu_mem_access, flags, CUmemAccessDesc, flags);
SAME_PLACE(cu_launch_attribute, id, CUlaunchAttribute, id);
SAME_PLACE(cu_launch_attribute, value, CUlaunchAttribute, value);

TEST(the_sentinels_of_packed_parameters_agree)
{
	assert_ptr_equal(BA_CU_LAUNCH_PARAM_END, CU_LAUNCH_PARAM_END);
	assert_ptr_equal(BA_CU_LAUNCH_PARAM_BUFFER, CU_LAUNCH_PARAM_BUFFER_POINTER);
	assert_ptr_equal(BA_CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_BUFFER_SIZE);
	print_message("compared with CUDA %d\n", CUDA_VERSION);
}
