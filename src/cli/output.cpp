#include "cli/output.hpp"

#include "base/escape_control.hpp"
#include "base/utf8.hpp"
#include "cli/terminal_text.hpp"

#include <boost/json/serialize.hpp>

#include <iostream>

namespace parley::cli {

std::string json_line(const boost::json::object& line)
{
    // File names may contain any bytes; JSON must be valid UTF-8. Only texts in it can contain
    // characters that a terminal obeys: their escapes there are those of JSON.
    return for_terminal(utf8::repaired(boost::json::serialize(line)));
}

int complain(const std::string& sentence, int code, const Common& common)
{
    const std::string text = utf8::repaired(sentence);
    if (common.json)
        std::cerr << json_line({{"error", text}}) << '\n';
    else
        std::cerr << "parley: " << for_terminal(text) << '\n';
    return code;
}

std::string shown(const boost::json::object& object, const char* name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? escape_control(value->as_string()) : std::string();
}

void print_line(const boost::json::object& line) { std::cout << json_line(line) << '\n'; }

}  // namespace parley::cli
