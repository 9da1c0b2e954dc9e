// Values of settings as text: how --set and the environment write them, and how they are shown.
#pragma once

#include "app/settings.hpp"
#include "base/escape_control.hpp"

namespace parley::app {

// Reads text as a value of the same type as `like`. Nothing if the text is not such a value.
std::optional<SettingValue> value_from_text(std::string_view text, const SettingValue& like);

// The value as TOML writes it: "text", 5, true, ["a", "b"].
std::string to_toml(const SettingValue& value);

// Describes forbidden characters in a value: file names, header fields and log lines must not
// contain control characters.
std::optional<std::string> fault_of_text(const SettingValue& value);

}  // namespace parley::app
