// JSON values as YAML, for people who would rather read that.
#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace parley::reference {

// Block style, texts in double quotes: what every YAML 1.2 reader takes for the same value.
std::string yaml(const boost::json::value& value);

}  // namespace parley::reference
