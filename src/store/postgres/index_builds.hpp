// Indexes of tables that other servers may be using while a schema is updated. They are created
// concurrently, after the steps: an index that is created in a step keeps others from changing its
// table meanwhile. Queries find the same without them, only slower, so that servers work meanwhile.
// A unique index is created in its step, since statements rely on it.
#pragma once

#include "store/postgres/link.hpp"

#include <string>
#include <vector>

namespace parley::store::postgres {

// The statements of a step.
struct SchemaStep {
    std::vector<std::string> within = {};  // Its transaction.
    std::vector<std::string> indexes = {};
};

SchemaStep split_step(std::vector<std::string> statements);

// Those of these indexes that do not exist, or whose creation was interrupted. Throws Failure.
std::vector<std::string> missing_indexes(Link& link, std::vector<std::string> indexes);

// Creates them; does nothing if another server does. May take hours. Throws Failure; the next start
// of a server tries again.
void build_indexes(Link& link, const std::vector<std::string>& indexes);

}  // namespace parley::store::postgres
