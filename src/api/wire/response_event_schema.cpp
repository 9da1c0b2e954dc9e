#include "api/wire/response_event_schema.hpp"

#include "api/wire/response_event.hpp"
#include "fields/schema.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace parley::api {
namespace {

using boost::json::array;
using boost::json::object;

class EventTypes {
public:
    template <class Event>
    void add(std::string_view type, std::string_view name, std::string_view meaning)
    {
        object about = fields::schema<Event>(fields::Direction::response);
        about["title"] = name;
        about["summary"] = meaning;
        auto& described = about["properties"].as_object()["type"].as_object();
        described["enum"] = array{type};
        described["examples"] = array{type};
        by_type_[type] = "#/components/schemas/" + std::string(name);
        all_.push_back(std::move(about));
    }

    object schema() &&
    {
        return {
            {"title", "ResponseStreamEvent"},
            {"summary",
             "Data of an event of a response. `type` is also the name of the event. New types "
             "may be added."},
            {"oneOf", std::move(all_)},
            {"discriminator", object{{"propertyName", "type"}, {"mapping", std::move(by_type_)}}}};
    }

private:
    array all_;
    object by_type_;
};

}  // namespace

object response_event_schema()
{
    EventTypes types;
    types.add<ResponseEvent>("response.created", "ResponseCreatedEvent",
                             "First event: the question is stored and will be answered.");
    types.add<ResponseEvent>("response.in_progress", "ResponseInProgressEvent",
                             "The response is being written.");
    types.add<ResponseItemEvent>("response.output_item.added", "ResponseItemAddedEvent",
                                 "A message, or a call of a function, begins.");
    types.add<ResponsePartEvent>("response.content_part.added", "ResponsePartAddedEvent",
                                 "The text of a message begins.");
    types.add<ResponseDeltaEvent>("response.output_text.delta", "ResponseTextDeltaEvent",
                                  "The next piece of the text.");
    types.add<ResponseTextEvent>("response.output_text.done", "ResponseTextDoneEvent",
                                 "The whole text.");
    types.add<ResponsePartEvent>("response.content_part.done", "ResponsePartDoneEvent",
                                 "The text as a part of the message.");
    types.add<ResponseItemEvent>("response.output_item.done", "ResponseItemDoneEvent",
                                 "The whole message or call.");
    types.add<ResponseEvent>("response.completed", "ResponseCompletedEvent",
                             "Last event: the answer is complete.");
    types.add<ResponseEvent>("response.incomplete", "ResponseIncompleteEvent",
                             "Last event: the answer was cut by `max_output_tokens`, or cancelled "
                             "(`status` is `cancelled`).");
    types.add<ResponseEvent>("response.failed", "ResponseFailedEvent",
                             "Last event: `response.error` says why; the text so far is kept.");
    types.add<ResponseArgumentsDeltaEvent>("response.function_call_arguments.delta",
                                           "ResponseArgumentsDeltaEvent",
                                           "The next piece of the arguments of a call.");
    types.add<ResponseArgumentsEvent>("response.function_call_arguments.done",
                                      "ResponseArgumentsDoneEvent",
                                      "The whole arguments of a call.");
    return std::move(types).schema();
}

}  // namespace parley::api
