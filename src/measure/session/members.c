#include "session/members.h"

void ba_member_order_dispose(ba_member_order *o)
{
	free(o->open);
	ba_strv_dispose(&o->split);
	*o = (ba_member_order){0};
}
