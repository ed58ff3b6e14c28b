/* Objects that a program wants destroyed with its graphs (CUuserObject). */
#pragma once

#include "nulldriver/object.h"

/* When a graph is destroyed: drops its references, and destroys objects without any. */
void user_objects_leave(const object *graph);
