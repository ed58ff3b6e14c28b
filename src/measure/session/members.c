#include "session/members.h"

BA_OWNS(ba_member_order, o, free(o->open), ba_strv_dispose(&o->split))
