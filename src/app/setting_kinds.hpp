// The kinds of settings: each makes the declaration of one key from a member of Settings.
#pragma once

#include "app/settings.hpp"
#include "app/settings_text.hpp"
#include "http/address.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::app::setting_kinds {

using Fault = std::optional<std::string>;

template <class T>
Setting setting(std::string key, T Settings::* member, std::string form, std::string_view meaning,
                std::function<Fault(const T&)> fault = nullptr)
{
    Setting made{
        .key = std::move(key),
        .form = std::move(form),
        .meaning = meaning,
        .get = [=](const Settings& from) { return SettingValue(from.*member); },
        .put = [=](Settings& into,
                   SettingValue value) { into.*member = std::get<T>(std::move(value)); },
    };
    if (fault)
        made.fault = [fault = std::move(fault)](const SettingValue& value) {
            return fault(std::get<T>(value));
        };
    return made;
}

inline Setting text(std::string key, std::string Settings::* member, std::string_view meaning)
{
    return setting(std::move(key), member, "text", meaning);
}

inline Setting yes_or_no(std::string key, bool Settings::* member, std::string_view meaning)
{
    return setting(std::move(key), member, "true or false", meaning);
}

inline Setting number(std::string key, std::int64_t Settings::* member, std::int64_t min,
                      std::int64_t max, std::string_view meaning)
{
    const std::string form =
        "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    return setting<std::int64_t>(std::move(key), member, form, meaning,
                                 [=](const std::int64_t& value) -> Fault {
                                     if (value >= min && value <= max) return {};
                                     return std::to_string(value) + " is not " + form + ".";
                                 });
}

inline Setting one_of(std::string key, std::string Settings::* member,
                      const std::vector<std::string>& allowed, std::string_view meaning)
{
    std::string form;
    for (const auto& each : allowed)
        form += (form.empty() ? "" : each == allowed.back() ? " or " : ", ") + each;
    return setting<std::string>(std::move(key), member, form, meaning,
                                [=](const std::string& value) -> Fault {
                                    if (std::ranges::find(allowed, value) != allowed.end())
                                        return {};
                                    return in_quotes(value) + " is not " + form + ".";
                                });
}

// `else_word`: what may stand there instead of an address.
inline Setting address(std::string key, std::string Settings::* member, std::string_view else_word,
                       std::string_view meaning)
{
    const std::string beside = else_word.empty() ? "" : ", or " + std::string(else_word);
    return setting<std::string>(
        std::move(key), member, "an address and a port" + beside, meaning,
        [=, word = std::string(else_word)](const std::string& value) -> Fault {
            if (!word.empty() && (value == word || value.empty())) return {};
            const auto parsed = http::parse_address(value);
            if (parsed) return {};
            return parsed.error().message + beside + ".";
        });
}

}  // namespace parley::app::setting_kinds
