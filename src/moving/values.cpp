#include "moving/values.hpp"

#include <boost/json/array.hpp>

#include <cmath>

namespace parley::moving {
namespace {

// The year 2262, in which nanoseconds in 64 bits end.
constexpr double latest_seconds = 9'214'646'400.0;

std::optional<double> number_of(const boost::json::value& value)
{
    if (value.is_double()) return value.get_double();
    if (value.is_int64()) return static_cast<double>(value.get_int64());
    if (value.is_uint64()) return static_cast<double>(value.get_uint64());
    return std::nullopt;
}

}  // namespace

const boost::json::object* object_at(const boost::json::object& object, std::string_view key)
{
    const auto* value = object.if_contains(key);
    return value ? value->if_object() : nullptr;
}

const boost::json::array* array_at(const boost::json::object& object, std::string_view key)
{
    const auto* value = object.if_contains(key);
    return value ? value->if_array() : nullptr;
}

const boost::json::string* string_at(const boost::json::object& object, std::string_view key)
{
    const auto* value = object.if_contains(key);
    return value ? value->if_string() : nullptr;
}

std::optional<std::string> text_at(const boost::json::object& object, std::string_view key)
{
    const auto* text = string_at(object, key);
    if (!text || text->empty()) return std::nullopt;
    return std::string(*text);
}

bool flag_at(const boost::json::object& object, std::string_view key)
{
    const auto* value = object.if_contains(key);
    return value && value->is_bool() && value->get_bool();
}

std::optional<TimePoint> seconds_at(const boost::json::object& object, std::string_view key)
{
    const auto* value = object.if_contains(key);
    const auto seconds = value ? number_of(*value) : std::nullopt;
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds >= latest_seconds)
        return std::nullopt;
    return TimePoint(std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000)));
}

}  // namespace parley::moving
