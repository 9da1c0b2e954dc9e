// Values of JSON objects whose types are not known.
#pragma once

#include "base/clock.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace parley::moving {

// Null if the member does not exist or has another type.
const boost::json::object* object_at(const boost::json::object& object, std::string_view key);
const boost::json::array* array_at(const boost::json::object& object, std::string_view key);
const boost::json::string* string_at(const boost::json::object& object, std::string_view key);

// The same; empty texts count as absent.
std::optional<std::string> text_at(const boost::json::object& object, std::string_view key);
bool flag_at(const boost::json::object& object, std::string_view key);

// Seconds since 1970, perhaps with a fraction. Nothing if it is no time between 1970 and 9999.
std::optional<TimePoint> seconds_at(const boost::json::object& object, std::string_view key);

}  // namespace parley::moving
