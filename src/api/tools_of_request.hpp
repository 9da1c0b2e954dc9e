// The tools of a request, for both APIs of OpenAI.
//
// Threads: plain functions.
#pragma once

#include "base/error.hpp"
#include "engine/tools.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <vector>

namespace parley::api {

// Notes all faults of the tools in a request; and of their schemas, if a local model must call one.
// `is_stored`: they have to fit into the parameters of a run. Null if there are none.
engine::ToolsRef tools_of(const boost::json::object& request, engine::ToolShape shape,
                          engine::ToolUse use, bool is_stored, Faults& faults);

// Tools as a response shows them: in the flat shape.
struct ShownTools {
    std::vector<boost::json::object> tools = {};
    boost::json::value choice = "auto";
};
ShownTools shown_tools(const engine::ToolsRef& tools);

}  // namespace parley::api
