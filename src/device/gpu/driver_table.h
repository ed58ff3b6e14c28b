/*
 * Every driver function that we call, a row each. Three readers use the table: the
 * loader (driver.c), our own drivers (nulldriver, the tests' fake), and the test that
 * compares it with a real cuda.h.
 *
 *   field     member of ba_driver
 *   symbol    name for cuGetProcAddress
 *   suffix    behind symbol: name for dlsym, if the driver is too old for cuGetProcAddress
 *   version   the CUDA version whose signature we mean. cuGetProcAddress is asked for
 *             that version, never for the newest, which may have other parameters
 *   need      MUST: a driver without it is rejected; MAY: it is NULL, and a feature is
 *             off
 */
#pragma once

#include "gpu/abi.h"

/* clang-format off */
#define BA_DRIVER_TABLE(X) \
	X(init, cuInit, , 2000, MUST, (unsigned flags)) \
	X(driver_get_version, cuDriverGetVersion, , 2020, MUST, (int *version)) \
	X(get_error_name, cuGetErrorName, , 6000, MUST, (cu_result result, const char **text)) \
	X(get_error_string, cuGetErrorString, , 6000, MUST, (cu_result result, const char **text)) \
	X(device_get_count, cuDeviceGetCount, , 2000, MUST, (int *count)) \
	X(device_get, cuDeviceGet, , 2000, MUST, (cu_device *device, int ordinal)) \
	X(device_get_name, cuDeviceGetName, , 2000, MUST, \
		(char *name, int size, cu_device device)) \
	X(device_get_uuid, cuDeviceGetUuid, _v2, 11040, MAY, (cu_uuid *uuid, cu_device device)) \
	X(device_get_attribute, cuDeviceGetAttribute, , 2000, MUST, \
		(int *value, int attribute, cu_device device)) \
	X(device_total_mem, cuDeviceTotalMem, _v2, 3020, MUST, (size_t *bytes, cu_device device)) \
	X(device_get_pci_bus_id, cuDeviceGetPCIBusId, , 4010, MUST, \
		(char *id, int size, cu_device device)) \
	X(primary_ctx_retain, cuDevicePrimaryCtxRetain, , 7000, MUST, \
		(cu_context *context, cu_device device)) \
	X(primary_ctx_release, cuDevicePrimaryCtxRelease, _v2, 11000, MUST, (cu_device device)) \
	X(primary_ctx_set_flags, cuDevicePrimaryCtxSetFlags, _v2, 11000, MUST, \
		(cu_device device, unsigned flags)) \
	X(primary_ctx_get_state, cuDevicePrimaryCtxGetState, , 7000, MUST, \
		(cu_device device, unsigned *flags, int *active)) \
	X(ctx_set_current, cuCtxSetCurrent, , 4000, MUST, (cu_context context)) \
	X(ctx_get_current, cuCtxGetCurrent, , 4000, MUST, (cu_context *context)) \
	X(ctx_reset_persisting_l2, cuCtxResetPersistingL2Cache, , 11000, MAY, (void)) \
	X(ctx_synchronize, cuCtxSynchronize, , 2000, MUST, (void)) \
	X(module_load_data, cuModuleLoadData, , 2000, MUST, \
		(cu_module *module, const void *image)) \
	X(module_load_data_ex, cuModuleLoadDataEx, , 2010, MUST, \
		(cu_module *module, const void *image, unsigned count, int *options, \
			void **values)) \
	X(module_unload, cuModuleUnload, , 2000, MUST, (cu_module module)) \
	X(module_get_function, cuModuleGetFunction, , 2000, MUST, \
		(cu_function *function, cu_module module, const char *name)) \
	X(module_get_global, cuModuleGetGlobal, _v2, 3020, MUST, \
		(cu_deviceptr *address, size_t *bytes, cu_module module, const char *name)) \
	X(func_load, cuFuncLoad, , 12040, MAY, (cu_function function)) \
	X(func_get_attribute, cuFuncGetAttribute, , 2020, MUST, \
		(int *value, int attribute, cu_function function)) \
	X(func_get_param_info, cuFuncGetParamInfo, , 12040, MAY, \
		(cu_function function, size_t index, size_t *offset, size_t *bytes)) \
	X(func_get_module, cuFuncGetModule, , 11000, MAY, \
		(cu_module *module, cu_function function)) \
	X(func_get_name, cuFuncGetName, , 12030, MAY, (const char **name, cu_function function)) \
	X(kernel_get_function, cuKernelGetFunction, , 12000, MAY, \
		(cu_function *function, cu_function kernel)) \
	X(library_get_module, cuLibraryGetModule, , 12000, MAY, \
		(cu_module *module, const void *library)) \
	X(stream_begin_capture, cuStreamBeginCapture, _v2, 10010, MAY, \
		(cu_stream stream, int mode)) \
	X(stream_end_capture, cuStreamEndCapture, , 10000, MAY, \
		(cu_stream stream, cu_graph *graph)) \
	X(graph_get_nodes, cuGraphGetNodes, , 10000, MAY, \
		(cu_graph graph, cu_graph_node *nodes, size_t *count)) \
	X(graph_get_edges, cuGraphGetEdges, , 10000, MAY, \
		(cu_graph graph, cu_graph_node *from, cu_graph_node *to, size_t *count)) \
	X(graph_node_get_type, cuGraphNodeGetType, , 10000, MAY, (cu_graph_node node, int *type)) \
	X(graph_kernel_node_get_params, cuGraphKernelNodeGetParams, _v2, 12000, MAY, \
		(cu_graph_node node, cu_kernel_node_params *params)) \
	X(graph_kernel_node_get_attribute, cuGraphKernelNodeGetAttribute, , 11000, MAY, \
		(cu_graph_node node, int attribute, uint64_t value[8])) \
	X(graph_memcpy_node_get_params, cuGraphMemcpyNodeGetParams, , 10000, MAY, \
		(cu_graph_node node, cu_memcpy3d *params)) \
	X(graph_memset_node_get_params, cuGraphMemsetNodeGetParams, , 10000, MAY, \
		(cu_graph_node node, cu_memset_node_params *params)) \
	X(graph_child_get_graph, cuGraphChildGraphNodeGetGraph, , 10000, MAY, \
		(cu_graph_node node, cu_graph *graph)) \
	X(graph_destroy, cuGraphDestroy, , 10000, MAY, (cu_graph graph)) \
	X(mem_get_address_range, cuMemGetAddressRange, _v2, 3020, MAY, \
		(cu_deviceptr *base, size_t *bytes, cu_deviceptr address)) \
	X(pointer_get_attribute, cuPointerGetAttribute, , 4000, MAY, \
		(void *data, int attribute, cu_deviceptr address)) \
	X(launch_kernel, cuLaunchKernel, , 4000, MUST, \
		(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
			unsigned block_x, unsigned block_y, unsigned block_z, \
			unsigned shared_bytes, cu_stream stream, void **params, void **extra)) \
	X(launch_kernel_ex, cuLaunchKernelEx, , 11060, MAY, \
		(const cu_launch_config *config, cu_function function, void **params, \
			void **extra)) \
	X(stream_create, cuStreamCreate, , 2000, MUST, (cu_stream *stream, unsigned flags)) \
	X(stream_destroy, cuStreamDestroy, _v2, 4000, MUST, (cu_stream stream)) \
	X(stream_synchronize, cuStreamSynchronize, , 2000, MUST, (cu_stream stream)) \
	X(event_create, cuEventCreate, , 2000, MUST, (cu_event *event, unsigned flags)) \
	X(event_record, cuEventRecord, , 2000, MUST, (cu_event event, cu_stream stream)) \
	X(event_query, cuEventQuery, , 2000, MUST, (cu_event event)) \
	X(event_synchronize, cuEventSynchronize, , 2000, MUST, (cu_event event)) \
	X(event_elapsed_time, cuEventElapsedTime, , 2000, MUST, \
		(float *ms, cu_event start, cu_event end)) \
	X(event_destroy, cuEventDestroy, _v2, 4000, MUST, (cu_event event)) \
	X(mem_alloc, cuMemAlloc, _v2, 3020, MUST, (cu_deviceptr *address, size_t bytes)) \
	X(mem_free, cuMemFree, _v2, 3020, MUST, (cu_deviceptr address)) \
	X(mem_get_info, cuMemGetInfo, _v2, 3020, MUST, (size_t *free_bytes, size_t *total_bytes)) \
	X(memcpy_htod, cuMemcpyHtoD, _v2, 3020, MUST, \
		(cu_deviceptr to, const void *from, size_t bytes)) \
	X(memcpy_dtoh, cuMemcpyDtoH, _v2, 3020, MUST, (void *to, cu_deviceptr from, size_t bytes)) \
	X(memcpy_dtod, cuMemcpyDtoD, _v2, 3020, MUST, \
		(cu_deviceptr to, cu_deviceptr from, size_t bytes)) \
	X(memset_d8, cuMemsetD8, _v2, 3020, MUST, \
		(cu_deviceptr to, unsigned char value, size_t count)) \
	X(memset_d32_async, cuMemsetD32Async, , 3020, MUST, \
		(cu_deviceptr to, unsigned value, size_t count, cu_stream stream)) \
	X(mem_address_reserve, cuMemAddressReserve, , 10020, MAY, \
		(cu_deviceptr *address, size_t bytes, size_t alignment, cu_deviceptr wanted, \
			unsigned long long flags)) \
	X(mem_address_free, cuMemAddressFree, , 10020, MAY, (cu_deviceptr address, size_t bytes)) \
	X(mem_create, cuMemCreate, , 10020, MAY, \
		(unsigned long long *handle, size_t bytes, const cu_mem_properties *p, \
			unsigned long long flags)) \
	X(mem_release, cuMemRelease, , 10020, MAY, (unsigned long long handle)) \
	X(mem_map, cuMemMap, , 10020, MAY, \
		(cu_deviceptr address, size_t bytes, size_t offset, unsigned long long handle, \
			unsigned long long flags)) \
	X(mem_unmap, cuMemUnmap, , 10020, MAY, (cu_deviceptr address, size_t bytes)) \
	X(mem_set_access, cuMemSetAccess, , 10020, MAY, \
		(cu_deviceptr address, size_t bytes, const cu_mem_access *access, size_t count)) \
	X(mem_export, cuMemExportToShareableHandle, , 10020, MAY, \
		(void *out, unsigned long long handle, int type, unsigned long long flags)) \
	X(mem_import, cuMemImportFromShareableHandle, , 10020, MAY, \
		(unsigned long long *handle, void *shared, int type)) \
	X(mem_granularity, cuMemGetAllocationGranularity, , 10020, MAY, \
		(size_t *bytes, const cu_mem_properties *p, int option)) \
	X(mem_host_alloc, cuMemHostAlloc, , 2020, MUST, \
		(void **out, size_t bytes, unsigned flags)) \
	X(mem_host_register, cuMemHostRegister, _v2, 6050, MAY, \
		(void *p, size_t bytes, unsigned flags)) \
	X(mem_free_host, cuMemFreeHost, , 2000, MUST, (void *p)) \
	X(mem_host_get_device_pointer, cuMemHostGetDevicePointer, _v2, 3020, MUST, \
		(cu_deviceptr *address, void *p, unsigned flags))
/* clang-format on */
