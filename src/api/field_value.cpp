#include "api/field_value.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace parley::api {
namespace {

}  // namespace

std::string_view take_until(char separator, std::string_view& text)
{
    bool quoted = false;
    std::size_t end = 0;
    while (end < text.size() && (quoted || text[end] != separator)) {
        if (text[end] == '"') quoted = !quoted;
        const bool escape = quoted && text[end] == '\\';
        end += escape ? 2 : 1;
    }
    end = std::min(end, text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return ascii::trimmed(taken);
}

FieldParameter take_parameter(std::string_view& parameters)
{
    std::string_view value = take_until(';', parameters);
    const std::string_view name = take_until('=', value);
    value = ascii::trimmed(value);
    if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
    return {name, value};
}

}  // namespace parley::api
