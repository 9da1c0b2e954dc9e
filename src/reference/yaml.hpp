// Converts JSON values to YAML.
#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace parley::reference {

// Block style, texts in double quotes: every YAML 1.2 reader gets the same value.
std::string yaml(const boost::json::value& value);

}  // namespace parley::reference
