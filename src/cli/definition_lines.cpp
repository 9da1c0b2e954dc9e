#include "cli/definition_lines.hpp"

#include "base/json.hpp"

#include <fstream>
#include <iostream>

namespace parley::cli {
namespace {

Error invalid(std::string why) { return {Errc::invalid_request, std::move(why)}; }

// Whether there is one. One byte more than the longest is read, so that its caller sees it.
bool read_line(std::istream& input, std::string& line)
{
    line.clear();
    char c = 0;
    while (line.size() <= longest_definition && input.get(c)) {
        if (c == '\n') return true;
        line += c;
    }
    return !line.empty();
}

Result<boost::json::object> parsed_line(std::string_view line)
{
    if (line.size() > longest_definition) return invalid("has more than 1 MiB");
    auto parsed = json::parse(line);
    if (!parsed) return invalid("is not valid JSON: " + parsed.error().message);
    if (!parsed->is_object()) return invalid("is not a JSON object");
    return std::move(parsed->as_object());
}

}  // namespace

Result<std::vector<boost::json::object>> read_definitions(std::istream& input)
{
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    std::vector<boost::json::object> definitions;
    std::string line;
    for (int number = 1; read_line(input, line); ++number) {
        std::string_view text = line;
        if (number == 1 && text.starts_with(byte_order_mark))
            text.remove_prefix(byte_order_mark.size());
        if (text.find_first_not_of(" \t\r") == text.npos) continue;
        auto definition = parsed_line(text);
        if (!definition)
            return invalid("Line " + std::to_string(number) + " " + definition.error().message +
                           ".");
        if (definitions.size() == most_definitions)
            return invalid("There are more than 10000 definitions.");
        definitions.push_back(std::move(*definition));
    }
    if (input.bad()) return invalid("The definitions cannot be read.");
    return definitions;
}

Result<std::vector<boost::json::object>> read_definitions(const std::string& file)
{
    if (file == "-") return read_definitions(std::cin);
    std::ifstream opened(file, std::ios::binary);
    if (!opened) return invalid("The file " + file + " cannot be opened.");
    return read_definitions(opened);
}

}  // namespace parley::cli
