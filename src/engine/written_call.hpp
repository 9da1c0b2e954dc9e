// A call inside of its tags (tool_text.hpp), as JSON.
//
// Threads: plain functions.
#pragma once

#include "engine/tool_text.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace parley::engine {

// The beginning, without arguments: {"id":…,"name":…}. Nothing if it has another form.
std::optional<ToolCall> call_in_header(std::string_view text);

// A whole call as a model writes it: {"name":…,"arguments":{…}}. Nothing if it has another form, or
// is not a call of one of these functions.
std::optional<ToolCall> call_of_model(std::string_view text,
                                      const std::set<std::string>& functions);

}  // namespace parley::engine
