/* What a program wants destroyed with its graphs: CUuserObject. */
#ifndef NULLDRIVER_USER_OBJECT_H
#define NULLDRIVER_USER_OBJECT_H

#include "nulldriver/object.h"

/* A graph ends: its references go, and what nobody refers to is destroyed. */
void user_objects_leave(const object *graph);

#endif
