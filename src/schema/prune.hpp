// Removes impossible branches from a schema, so that generating a value cannot get stuck.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

// False: nothing is left.
bool prune(Schema& schema);

// Whether a choice refers to itself without a property or an item between, and so means nothing.
bool returns_without_a_level(const Schema& schema);

}  // namespace parley::schema
