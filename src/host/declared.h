/* A benchmark as a worker tells of it: the message "benchmark" of docs/workers.md. */
#ifndef HOST_DECLARED_H
#define HOST_DECLARED_H

#include "model/suite.h"
#include "wire/message.h"

/* BA_EPROTOCOL: lists that do not fit together. What they say is not looked at: that is
 * ba_declared_check. */
int ba_declared_of_message(ba_declared *out, const ba_message *m, ba_error *err);

#endif
