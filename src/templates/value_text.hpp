// A JSON value as it goes into a message: strings as they are, everything else as compact JSON.
#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace parley::templates {

std::string value_text(const boost::json::value& value);

}  // namespace parley::templates
