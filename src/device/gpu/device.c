#include "gpu/device.h"

int ba_device_count(int *out, const ba_driver *drv, ba_error *err)
{
	int count = 0;
	BA_DRIVER_TRY(drv, err, "cuDeviceGetCount", device_get_count(&count));
	*out = count;
	return 0;
}

/* formats a UUID like nvidia-smi */
static void format_uuid(char out[48], const unsigned char b[16])
{
	snprintf(out, 48,
		"GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
		b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
		b[14], b[15]);
}

/* an attribute the driver does not know is 0 */
static int attribute(const ba_device *dev, int which)
{
	int value = 0;
	if (dev->drv->device_get_attribute(&value, which, dev->handle))
		return 0;
	return value;
}

static void read_attributes(ba_device *dev)
{
	dev->cc_major = attribute(dev, BA_CU_ATTR_CC_MAJOR);
	dev->cc_minor = attribute(dev, BA_CU_ATTR_CC_MINOR);
	dev->sm_count = attribute(dev, BA_CU_ATTR_SM_COUNT);
	dev->clock_khz = attribute(dev, BA_CU_ATTR_CLOCK_RATE);
	dev->l2_bytes = attribute(dev, BA_CU_ATTR_L2_BYTES);
	dev->ecc = attribute(dev, BA_CU_ATTR_ECC_ENABLED);
	dev->exec_timeout = attribute(dev, BA_CU_ATTR_KERNEL_EXEC_TIMEOUT);
	dev->compute_mode = attribute(dev, BA_CU_ATTR_COMPUTE_MODE);
	if (dev->drv->device_get_attribute(&dev->mps, BA_CU_ATTR_MPS_ENABLED, dev->handle))
		dev->mps = -1;
}

int ba_device_open(ba_device *out, const ba_driver *drv, int ordinal, ba_error *err)
{
	int count = 0;
	BA_TRY(ba_device_count(&count, drv, err));
	if (count == 0)
		return ba_fail(err, BA_EGPU,
			"the driver shows no GPU; look at nvidia-smi and CUDA_VISIBLE_DEVICES");
	if (ordinal < 0 || ordinal >= count)
		return ba_fail(err, BA_EINVAL, "no device %d; the driver shows %d (0 to %d)",
			ordinal, count, count - 1);
	ba_device dev = {.drv = drv, .ordinal = ordinal};
	BA_DRIVER_TRY(drv, err, "cuDeviceGet", device_get(&dev.handle, ordinal));
	BA_DRIVER_TRY(drv, err, "cuDeviceGetName",
		device_get_name(dev.name, sizeof(dev.name), dev.handle));
	size_t bytes = 0;
	BA_DRIVER_TRY(drv, err, "cuDeviceTotalMem", device_total_mem(&bytes, dev.handle));
	dev.memory_bytes = bytes;
	if (drv->device_get_pci_bus_id(dev.pci_bus_id, sizeof(dev.pci_bus_id), dev.handle))
		dev.pci_bus_id[0] = '\0';
	cu_uuid uuid;
	if (drv->device_get_uuid && !drv->device_get_uuid(&uuid, dev.handle)) {
		memcpy(dev.uuid_bytes, uuid.bytes, 16);
		format_uuid(dev.uuid, uuid.bytes);
	}
	read_attributes(&dev);
	*out = dev;
	return 0;
}

int ba_device_enter(ba_device *dev, ba_error *err)
{
	const ba_driver *drv = dev->drv;
	/* waiting with yield or block would add a wake-up to every roundtrip; if the
	 * context exists, this call is rejected or has no effect */
	drv->primary_ctx_set_flags(dev->handle, BA_CU_CTX_SCHED_SPIN);
	cu_context context;
	BA_DRIVER_TRY(
		drv, err, "cuDevicePrimaryCtxRetain", primary_ctx_retain(&context, dev->handle));
	cu_result r = drv->ctx_set_current(context);
	if (r) {
		drv->primary_ctx_release(dev->handle);
		return ba_driver_fail(drv, err, r, "cuCtxSetCurrent");
	}
	int active = 0;
	drv->primary_ctx_get_state(dev->handle, &dev->context_flags, &active);
	dev->context = context;
	return 0;
}

void ba_device_leave(ba_device *dev)
{
	if (!dev->context)
		return;
	dev->drv->ctx_set_current(NULL);
	dev->drv->primary_ctx_release(dev->handle);
	dev->context = NULL;
}
