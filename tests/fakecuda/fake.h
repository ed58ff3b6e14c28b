/* The hooks of src/device/nulldriver/hooks.h as the fake driver has them. */
#ifndef FAKECUDA_FAKE_H
#define FAKECUDA_FAKE_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/abi.h"

cu_result fake_enter(const char *call);
cu_result fake_submit(cu_function function, cu_stream stream, void **params);
cu_result fake_drain(cu_stream stream);
cu_result fake_idle(cu_stream stream);
void fake_event_record(cu_event event, cu_stream stream);
cu_result fake_event_idle(cu_event event);
void fake_event_drain(cu_event event);
float fake_elapsed_ms(cu_event start, cu_event end);
const char *fake_device_name(void);
size_t fake_memory_bytes(void);
int fake_mps(void);
int fake_device_count(void);
void fake_choose_device(int ordinal);
const char *fake_uuid(void);
const char *fake_pci_bus_id(void);
cu_result fake_alloc(cu_deviceptr *address, size_t bytes);
void fake_free(cu_deviceptr address);
size_t fake_memory_free(void);
/* memory that somebody else mapped there is the device's, too; 0: too many */
int fake_adopt(cu_deviceptr address, size_t bytes);
void fake_forget(cu_deviceptr address);
void fake_write(cu_deviceptr to, const void *from, size_t bytes);
void fake_fill(cu_deviceptr to, unsigned char value, size_t bytes);
/* of the device's time alone: memory stays as it is */
void fake_fill_queued(cu_deviceptr to, size_t bytes, cu_stream stream);
int fake_can_read(cu_deviceptr from, size_t bytes);
/* the block that holds the address */
int fake_find_block(cu_deviceptr *base, size_t *bytes, cu_deviceptr address);
/* time of reading that much once, by a kernel that all multiprocessors run */
int64_t fake_read_ns(uint64_t from, uint64_t bytes, int sticky);
/* and of writing it, which leaves lines that whoever drives them out has to write back
 */
int64_t fake_write_ns(uint64_t to, uint64_t bytes, int sticky);

#define HOOK_ENTER(call)                               \
	do {                                           \
		cu_result result_ = fake_enter(#call); \
		if (result_)                           \
			return result_;                \
	} while (0)
#define HOOK_SUBMIT(function, stream, params) fake_submit((function), (stream), (params))
#define HOOK_DRAIN(stream) fake_drain(stream)
#define HOOK_IDLE(stream) fake_idle(stream)
#define HOOK_EVENT_RECORD(event, stream) fake_event_record((event), (stream))
#define HOOK_EVENT_IDLE(event) fake_event_idle(event)
#define HOOK_EVENT_DRAIN(event) fake_event_drain(event)
#define HOOK_ELAPSED_MS(start, end) fake_elapsed_ms((start), (end))
#define HOOK_MARK_TEXT "FAKE GPU (bench-against test driver, no hardware)"
#define HOOK_NO_RUNTIME "the CUDA runtime does not start on the fake driver"
#define HOOK_DEVICE_NAME fake_device_name()
#define HOOK_MEMORY_BYTES fake_memory_bytes()
#define HOOK_MEMORY_FREE fake_memory_free()
#define HOOK_ALLOC(address, bytes) fake_alloc((address), (bytes))
#define HOOK_FREE(address) fake_free(address)
#define HOOK_IS_NUMBER(address) ((void)(address), false)
#define HOOK_WRITE(to, from, bytes) fake_write((to), (from), (bytes))
#define HOOK_FILL(to, value, bytes) fake_fill((to), (value), (bytes))
#define HOOK_FILL_QUEUED(to, bytes, stream) fake_fill_queued((to), (bytes), (stream))
#define HOOK_CAN_READ(from, bytes) fake_can_read((from), (bytes))
#define HOOK_FIND_BLOCK(base, bytes, address) fake_find_block((base), (bytes), (address))
#define HOOK_MPS fake_mps()
#define HOOK_UUID fake_uuid()
#define HOOK_PCI_BUS_ID fake_pci_bus_id()
#define HOOK_DEVICE_COUNT fake_device_count()
#define HOOK_CHOOSE_DEVICE(ordinal) fake_choose_device(ordinal)
#define HOOK_MARKER bench_against_fake_cuda

#endif
