/* Streams and events. Nothing ever runs, so everything is always done. */
#include <string.h>

#include "nulldriver/api.h"
#include "nulldriver/graph.h"
#include "nulldriver/object.h"

API_SAY(cuStreamCreate, stream, (cu_stream)object_new(OBJECT_STREAM, NULL, NULL), cu_stream *stream,
	unsigned flags)

API_RETURN(cuStreamCreateWithPriority, cuStreamCreate(stream, flags), cu_stream *stream,
	unsigned flags, int priority)

API_RETURN(cuStreamDestroy, object_delete(stream, OBJECT_STREAM) ? 0 : BA_CU_INVALID_HANDLE,
	cu_stream stream)
API_ALIAS(cuStreamDestroy, cuStreamDestroy_v2)

API(cuStreamSynchronize, cu_stream stream)
{
	HOOK_ENTER(cuStreamSynchronize);
	cu_result r = graph_forbids();
	return r ? r : HOOK_DRAIN(stream);
}
API_ALIAS(cuStreamSynchronize, cuStreamSynchronize_ptsz)

API_RETURN(cuStreamQuery, HOOK_IDLE(stream), cu_stream stream)
API_ALIAS(cuStreamQuery, cuStreamQuery_ptsz)

API_SAY(cuStreamGetCtx, context, api_current_context(), cu_stream stream, cu_context *context)
API_ALIAS(cuStreamGetCtx, cuStreamGetCtx_ptsz)

/* a green context is a part of a GPU */
API(cuStreamGetCtx_v2, cu_stream stream, cu_context *context, void **green)
{
	HOOK_ENTER(cuStreamGetCtx_v2);
	*green = NULL;
	return cuStreamGetCtx(stream, context);
}
API_ALIAS(cuStreamGetCtx_v2, cuStreamGetCtx_v2_ptsz)
API_SAY(cuStreamGetGreenCtx, green, NULL, cu_stream stream, void **green)
API_SAY(cuStreamGetDevice, device, 0, cu_stream stream, cu_device *device)
API_ALIAS(cuStreamGetDevice, cuStreamGetDevice_ptsz)
API_SAY(cuStreamGetFlags, flags, BA_CU_STREAM_NON_BLOCKING, cu_stream stream, unsigned *flags)
API_ALIAS(cuStreamGetFlags, cuStreamGetFlags_ptsz)
API_SAY(cuStreamGetPriority, priority, 0, cu_stream stream, int *priority)
API_ALIAS(cuStreamGetPriority, cuStreamGetPriority_ptsz)
API_SAY(cuStreamGetId, id, (uintptr_t)stream, cu_stream stream, uint64_t *id)
API_ALIAS(cuStreamGetId, cuStreamGetId_ptsz)
API(cuStreamGetAttribute, cu_stream stream, int attribute, uint64_t value[8])
{
	HOOK_ENTER(cuStreamGetAttribute);
	memset(value, 0, 8 * sizeof(*value));
	return 0;
}
API_ALIAS(cuStreamGetAttribute, cuStreamGetAttribute_ptsz)

API_SAY(cuEventCreate, event, (cu_event)object_new(OBJECT_EVENT, NULL, NULL), cu_event *event,
	unsigned flags)

API_RETURN(cuEventDestroy, object_delete(event, OBJECT_EVENT) ? 0 : BA_CU_INVALID_HANDLE,
	cu_event event)
API_ALIAS(cuEventDestroy, cuEventDestroy_v2)

API(cuEventRecord, cu_event event, cu_stream stream)
{
	HOOK_ENTER(cuEventRecord);
	HOOK_EVENT_RECORD(event, stream);
	return 0;
}
API_ALIAS(cuEventRecord, cuEventRecord_ptsz)
API_ALIAS(cuEventRecord, cuEventRecordWithFlags)
API_ALIAS(cuEventRecord, cuEventRecordWithFlags_ptsz)

API_RETURN(cuEventQuery, HOOK_EVENT_IDLE(event), cu_event event)

API(cuEventSynchronize, cu_event event)
{
	HOOK_ENTER(cuEventSynchronize);
	HOOK_EVENT_DRAIN(event);
	return 0;
}

API_SAY(cuEventElapsedTime, ms, HOOK_ELAPSED_MS(start, end), float *ms, cu_event start,
	cu_event end)
API_ALIAS(cuEventElapsedTime, cuEventElapsedTime_v2)

/* no device will reach it, so the host's turn has come */
API(cuLaunchHostFunc, cu_stream stream, void (*function)(void *), void *data)
{
	HOOK_ENTER(cuLaunchHostFunc);
	function(data);
	return 0;
}
API_ALIAS(cuLaunchHostFunc, cuLaunchHostFunc_ptsz)

API(cuStreamAddCallback, cu_stream stream, void (*function)(cu_stream, cu_result, void *),
	void *data, unsigned flags)
{
	HOOK_ENTER(cuStreamAddCallback);
	function(stream, 0, data);
	return 0;
}
API_ALIAS(cuStreamAddCallback, cuStreamAddCallback_ptsz)
