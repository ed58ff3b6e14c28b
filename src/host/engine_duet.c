#include "host/engine_row.h"

const ba_engine_row ba_engine_duet = {
	.name = "duet",
	.shares = true,
	.start = ba_library_start,
	.open = ba_library_open,
	.ask_prepare = ba_library_ask_prepare,
	.prepare = ba_library_prepare,
	.measure = ba_library_measure,
	.visit = ba_library_visit,
};
