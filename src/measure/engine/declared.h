/* A benchmark as a worker declares it: the message "benchmark" of docs/workers.md. */
#pragma once

#include "model/suite.h"
#include "wire/message.h"

/* BA_EPROTOCOL: lists of different lengths. ba_declared_check checks their content. */
int ba_declared_of_message(ba_declared *out, const ba_message *m, ba_error *err);
