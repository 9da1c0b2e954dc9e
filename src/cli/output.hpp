// What commands print: results on standard output, complaints on standard error; for people, or one
// JSON object per line.
#pragma once

#include "cli/command.hpp"

#include <boost/json/object.hpp>

namespace parley::cli {

// Prints the sentence and returns the code.
int complain(const std::string& sentence, int code, const Common& common);

// A text of an object, fit for a terminal; empty where it is missing or null.
std::string shown(const boost::json::object& object, const char* name);

void print_line(const boost::json::object& line);

}  // namespace parley::cli
