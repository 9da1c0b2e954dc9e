#pragma once

#include "schema/schema.hpp"

#include <boost/json/object.hpp>

namespace parley::engine::upstream {

// The format of an answer in OpenAI's notation. It asks for `strict` only if the schema obeys
// OpenAI's rules for that, because their servers refuse it otherwise.
boost::json::object response_format(const schema::Schema& schema);

}  // namespace parley::engine::upstream
