// The events of a response's stream, with the names and fields that OpenAI's clients expect.
#pragma once

#include "api/wire/response.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

inline constexpr auto about_sequence_number =
    "The number of the event: 0, 1, 2 … The same whenever it is read again.";
inline constexpr auto about_output_index = "The place of the item in the output: 0, 1, 2 …";

// The response as a whole: when it is created, and when it ends.
struct ResponseEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    ResponseView response = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseEvent", "The response as it is then."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("response", &This::response, "The response."));
    }
};

struct ResponseItemEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::int64_t output_index = 0;
    ResponseItem item = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseItemEvent",
                                                    "An item of the output begins or ends."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseItemEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("output_index", &This::output_index, about_output_index),
                          field("item", &This::item, "The item."));
    }
};

struct ResponsePartEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::string item_id = {};
    std::int64_t output_index = 0;
    std::int64_t content_index = 0;
    ResponsePart part = {};

    static constexpr fields::SchemaInfo schema_info{"ResponsePartEvent",
                                                    "A part of a message begins or ends."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponsePartEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("item_id", &This::item_id, "Id of the message.",
                                example("msg_01J9ZQ8R0000000000000000AB"), id_of_message),
                          field("output_index", &This::output_index, about_output_index),
                          field("content_index", &This::content_index, "Always 0."),
                          field("part", &This::part, "The part."));
    }
};

struct ResponseDeltaEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::string item_id = {};
    std::int64_t output_index = 0;
    std::int64_t content_index = 0;
    std::string delta = {};
    std::vector<boost::json::object> logprobs = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseDeltaEvent",
                                                    "The next piece of text."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseDeltaEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("item_id", &This::item_id, "Id of the message.",
                                example("msg_01J9ZQ8R0000000000000000AB"), id_of_message),
                          field("output_index", &This::output_index, about_output_index),
                          field("content_index", &This::content_index, "Always 0."),
                          field("delta", &This::delta, "The text.", example("Hi")),
                          field("logprobs", &This::logprobs, "Always empty."));
    }
};

struct ResponseTextEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::string item_id = {};
    std::int64_t output_index = 0;
    std::int64_t content_index = 0;
    std::string text = {};
    std::vector<boost::json::object> logprobs = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseTextEvent", "The text is complete."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseTextEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("item_id", &This::item_id, "Id of the message.",
                                example("msg_01J9ZQ8R0000000000000000AB"), id_of_message),
                          field("output_index", &This::output_index, about_output_index),
                          field("content_index", &This::content_index, "Always 0."),
                          field("text", &This::text, "The whole text.", example("Hi!")),
                          field("logprobs", &This::logprobs, "Always empty."));
    }
};

struct ResponseArgumentsDeltaEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::string item_id = {};
    std::int64_t output_index = 0;
    std::string delta = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseArgumentsDeltaEvent",
                                                    "The next piece of the arguments of a call."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseArgumentsDeltaEvent;
        return std::tuple(
            field("type", &This::type, "The type of the event."),
            field("sequence_number", &This::sequence_number, about_sequence_number),
            field("item_id", &This::item_id, "Id of the call.",
                  example("fc_01J9ZQ8R0000000000000000AB_0"), id_of_item),
            field("output_index", &This::output_index, about_output_index),
            field("delta", &This::delta, "Text to append to the arguments.", example("{\"city")));
    }
};

struct ResponseArgumentsEvent {
    std::string type = {};
    std::int64_t sequence_number = 0;
    std::string item_id = {};
    std::int64_t output_index = 0;
    std::string name = {};
    std::string arguments = {};

    static constexpr fields::SchemaInfo schema_info{"ResponseArgumentsEvent",
                                                    "The arguments of a call are complete."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResponseArgumentsEvent;
        return std::tuple(field("type", &This::type, "The type of the event."),
                          field("sequence_number", &This::sequence_number, about_sequence_number),
                          field("item_id", &This::item_id, "Id of the call.",
                                example("fc_01J9ZQ8R0000000000000000AB_0"), id_of_item),
                          field("output_index", &This::output_index, about_output_index),
                          field("name", &This::name, "The function.", example("get_weather")),
                          field("arguments", &This::arguments, "The whole arguments.",
                                example(R"({"city":"Paris"})")));
    }
};

}  // namespace parley::api
