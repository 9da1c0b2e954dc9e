// How the reference describes the input of POST /v1/responses.
#include "api/wire/response_request.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace parley::api {

boost::json::object ResponseInput::schema()
{
    const boost::json::object text{{"type", "string"}};
    boost::json::object part{
        {"type", "object"},
        {"required", {"type"}},
        {"properties",
         {{"type",
           {{"type", "string"},
            {"description",
             "`input_text`, `output_text`, or `input_image` (for models with "
             "`capabilities.vision`)."}}},
          {"text", {{"type", "string"}, {"description", "The text."}}},
          {"image_url",
           {{"type", "string"},
            {"description",
             "The image: `data:TYPE;base64,…`, or an address that only the upstream fetches; to be "
             "stored, only the former."}}}}}};
    const boost::json::array forms{text, {{"type", "array"}, {"items", std::move(part)}}};
    boost::json::object content{{"oneOf", forms}, {"description", "A text, or a list of parts."}};
    boost::json::object output{{"oneOf", forms},
                               {"description", "Results only: a text, or a list of parts."}};
    boost::json::object item{
        {"type", "object"},
        {"properties",
         {{"type",
           {{"type", "string"},
            {"description",
             "`message` (the default), `function_call` and `function_call_output` (a call and its "
             "result), or `item_reference`, whose `id` names a stored item. Items of type "
             "`reasoning` are ignored."}}},
          {"role",
           {{"type", "string"},
            {"enum", {"user", "assistant", "system", "developer"}},
            {"description",
             "The author of a message. `system` and `developer` give "
             "instructions."}}},
          {"content", std::move(content)},
          {"call_id",
           {{"type", "string"}, {"description", "Calls and results only: the id of the call."}}},
          {"name", {{"type", "string"}, {"description", "Calls only: the function."}}},
          {"arguments",
           {{"type", "string"}, {"description", "Calls only: the arguments, as JSON in a text."}}},
          {"output", std::move(output)},
          {"id", {{"type", "string"}, {"description", "References only: the id of the item."}}}}}};
    boost::json::object list{{"type", "array"}, {"items", std::move(item)}};
    fields::length(1, max_items).describe(list);
    return {{"oneOf", {text, std::move(list)}}, {"examples", {"Hello"}}};
}

}  // namespace parley::api
