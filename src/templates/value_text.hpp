// The text of a JSON value in a message: strings unchanged, everything else as compact JSON.
#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace parley::templates {

std::string value_text(const boost::json::value& value);

}  // namespace parley::templates
