// Takes out of a schema what no value can have, so that nothing that writes one gets stuck.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

// False: nothing is left.
bool prune(Schema& schema);

// Whether a choice leads back to itself without a property or an item between: it says nothing.
bool returns_without_a_level(const Schema& schema);

}  // namespace parley::schema
