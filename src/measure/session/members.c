#include "session/members.h"

#include <stdlib.h>

void ba_crew_order_dispose(ba_crew_order *o)
{
	free(o->open);
	ba_strv_dispose(&o->split);
	*o = (ba_crew_order){0};
}
