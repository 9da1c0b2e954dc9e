// Values of settings as text: how --set and the environment write them, and how they are shown.
#pragma once

#include "app/settings.hpp"

namespace parley::app {

// In quotes, on one line whatever it holds, for a sentence: "server.lisen".
std::string in_quotes(std::string_view text);

// Reads text as a value of the same type as `like`. Nothing: it is none.
std::optional<SettingValue> value_from_text(std::string_view text, const SettingValue& like);

// The value as TOML writes it: "text", 5, true, ["a", "b"].
std::string to_toml(const SettingValue& value);

// What is wrong with the letters of a value, as a sentence: a file name, a header field and a log
// line all have no place for control characters.
std::optional<std::string> fault_of_text(const SettingValue& value);

}  // namespace parley::app
