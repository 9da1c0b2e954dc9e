// The kinds of settings: each makes the declaration of one key. `place` leads to the value in
// Settings, mostly to a member of the options of a room: at(&Settings::runs,
// &chat::RunOptions::timeout).
#pragma once

#include "app/settings.hpp"
#include "app/settings_text.hpp"
#include "http/address.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::app::setting_kinds {

using Fault = std::optional<std::string>;

constexpr std::int64_t mib = std::int64_t{1} << 20U;

template <class... Members>
constexpr auto at(Members... members)
{
    return [=](auto& settings) -> auto& { return (settings.*....*members); };
}

// T: the type of the value as a SettingValue; `read` and `write` convert the value at the place.
template <class T>
Setting setting(std::string key, std::string form, std::string_view meaning,
                std::function<T(const Settings&)> read, std::function<void(Settings&, T)> write,
                std::function<Fault(const T&)> fault = nullptr)
{
    Setting made{
        .key = std::move(key),
        .form = std::move(form),
        .meaning = meaning,
        .get = [read = std::move(read)](const Settings& from) { return SettingValue(read(from)); },
        .put = [write = std::move(write)](
                   Settings& into,
                   SettingValue value) { write(into, std::get<T>(std::move(value))); },
    };
    if (fault)
        made.fault = [fault = std::move(fault)](const SettingValue& value) {
            return fault(std::get<T>(value));
        };
    return made;
}

// A value that its room keeps as settings have it.
template <class T>
Setting plain(std::string key, auto place, std::string form, std::string_view meaning,
              std::function<Fault(const T&)> fault = nullptr)
{
    return setting<T>(
        std::move(key), std::move(form), meaning,
        [place](const Settings& from) -> T { return place(from); },
        [place](Settings& into, T value) { place(into) = std::move(value); }, std::move(fault));
}

inline Setting text(std::string key, auto place, std::string_view meaning)
{
    return plain<std::string>(std::move(key), place, "text", meaning);
}

inline Setting yes_or_no(std::string key, auto place, std::string_view meaning)
{
    return plain<bool>(std::move(key), place, "true or false", meaning);
}

// Rooms have numbers of any type, times in their unit, and numbers that may be absent (0).
inline std::int64_t to_number(std::integral auto value) { return static_cast<std::int64_t>(value); }
template <class Rep, class Period>
std::int64_t to_number(std::chrono::duration<Rep, Period> value)
{
    return value.count();
}
template <class T>
std::int64_t to_number(const std::optional<T>& value)
{
    return value ? to_number(*value) : 0;
}

void put_number(std::integral auto& into, std::int64_t value)
{
    into = static_cast<std::remove_reference_t<decltype(into)>>(value);
}
template <class Rep, class Period>
void put_number(std::chrono::duration<Rep, Period>& into, std::int64_t value)
{
    into = std::chrono::duration<Rep, Period>(value);
}
template <class T>
void put_number(std::optional<T>& into, std::int64_t value)
{
    into.reset();
    if (value != 0) put_number(into.emplace(), value);
}

// `unit`: how much of the room's number one of the setting is.
inline Setting number(std::string key, auto place, std::int64_t min, std::int64_t max,
                      std::string_view meaning, std::int64_t unit = 1)
{
    const std::string form =
        "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    return setting<std::int64_t>(
        std::move(key), form, meaning,
        [=](const Settings& from) { return to_number(place(from)) / unit; },
        [=](Settings& into, std::int64_t value) { put_number(place(into), value * unit); },
        [=](const std::int64_t& value) -> Fault {
            if (value >= min && value <= max) return {};
            return std::to_string(value) + " is not " + form + ".";
        });
}

// "a, b or c"
inline std::string any_of_words(const std::vector<std::string>& words)
{
    std::string form;
    for (const auto& each : words)
        form += (form.empty() ? "" : each == words.back() ? " or " : ", ") + each;
    return form;
}

inline std::function<Fault(const std::string&)> must_be_one_of(
    const std::vector<std::string>& words)
{
    return [=](const std::string& value) -> Fault {
        if (std::ranges::find(words, value) != words.end()) return {};
        return in_quotes(value) + " is not " + any_of_words(words) + ".";
    };
}

inline Setting one_of(std::string key, auto place, const std::vector<std::string>& words,
                      std::string_view meaning)
{
    return plain<std::string>(std::move(key), place, any_of_words(words), meaning,
                              must_be_one_of(words));
}

// One of the values of a room's type; each has a word.
template <class T>
Setting choice(std::string key, auto place, const std::vector<std::pair<std::string, T>>& values,
               std::string_view meaning)
{
    std::vector<std::string> words;
    words.reserve(values.size());
    for (const auto& each : values) words.push_back(each.first);
    return setting<std::string>(
        std::move(key), any_of_words(words), meaning,
        [=](const Settings& from) {
            for (const auto& [word, value] : values)
                if (value == place(from)) return word;
            return std::string();
        },
        [=](Settings& into, const std::string& given) {
            for (const auto& [word, value] : values)
                if (word == given) place(into) = value;
        },
        must_be_one_of(words));
}

// `else_word`: what may stand there instead of an address.
inline Setting address(std::string key, auto place, std::string_view else_word,
                       std::string_view meaning)
{
    const std::string beside = else_word.empty() ? "" : ", or " + std::string(else_word);
    return plain<std::string>(
        std::move(key), place, "an address and a port" + beside, meaning,
        [=, word = std::string(else_word)](const std::string& value) -> Fault {
            if (!word.empty() && (value == word || value.empty())) return {};
            const auto parsed = http::parse_address(value);
            if (parsed) return {};
            return parsed.error().message + beside + ".";
        });
}

}  // namespace parley::app::setting_kinds
