// Output of commands: results on standard output, errors on standard error; as text, or one JSON
// object per line.
#pragma once

#include "cli/command.hpp"

#include <boost/json/object.hpp>

namespace parley::cli {

// Prints the message and returns the code.
int complain(const std::string& sentence, int code, const Common& common);

// A text of an object, escaped for a terminal; empty if it is missing or null.
std::string shown(const boost::json::object& object, const char* name);

// As JSON on one line, in which characters that control a terminal, or change the direction of the
// text around them, are escaped: JSON itself leaves those from U+007F on as they are.
std::string json_line(const boost::json::object& line);

void print_line(const boost::json::object& line);

}  // namespace parley::cli
