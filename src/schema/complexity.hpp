// Bounds on the work that the grammar of a schema can cause: it is done on the thread that computes
// for all answers of a model.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

bool is_too_complex(const Schema& schema);

}  // namespace parley::schema
