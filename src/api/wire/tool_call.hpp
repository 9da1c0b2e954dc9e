// Calls of functions in OpenAI's shape: in messages of a request, in answers, and in the chunks of
// a stream.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct CalledFunction {
    std::string name;
    std::string arguments;

    static constexpr fields::SchemaInfo schema_info{"CalledFunction", "A function and arguments."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = CalledFunction;
        return std::tuple(field("name", &This::name, "The name of the function.", length(1, 128),
                                example("get_weather")),
                          field("arguments", &This::arguments, "The arguments, as JSON in a text.",
                                example(R"({"city":"Paris"})")));
    }
};

struct ToolCallView {
    std::string id;
    std::string type = "function";
    CalledFunction function;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionToolCall",
                                                    "A call of a function."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ToolCallView;
        return std::tuple(field("id", &This::id, "Names the call in the message with its result.",
                                length(0, 512), example("call_01J9ZQ8R0000000000000000AB0")),
                          field("type", &This::type, "Always `function`.", one_of("function")),
                          field("function", &This::function, "The function and its arguments."));
    }
};

struct FunctionDelta {
    std::optional<std::string> name;
    std::string arguments;

    static constexpr fields::SchemaInfo schema_info{"FunctionDelta", "A part of a call."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = FunctionDelta;
        return std::tuple(field("name", &This::name, "In the first part of a call: the function.",
                                omit_if_absent, example("get_weather")),
                          field("arguments", &This::arguments, "Text to append to the arguments.",
                                example("{\"city")));
    }
};

struct ToolCallDelta {
    std::int64_t index = 0;
    std::optional<std::string> id;
    std::optional<std::string> type;
    FunctionDelta function;

    static constexpr fields::SchemaInfo schema_info{"ChatCompletionToolCallDelta",
                                                    "A part of a call."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ToolCallDelta;
        return std::tuple(
            field("index", &This::index, "Which call of the answer it belongs to."),
            field("id", &This::id, "In the first part of a call: its id.", omit_if_absent,
                  example("call_01J9ZQ8R0000000000000000AB0")),
            field("type", &This::type, "In the first part of a call: `function`.", omit_if_absent,
                  example("function")),
            field("function", &This::function, "The function, and more of its arguments."));
    }
};

}  // namespace parley::api
