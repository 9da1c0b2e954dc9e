#include "api/wire/event_schema.hpp"

#include "api/wire/event.hpp"
#include "fields/schema.hpp"

#include <boost/json/array.hpp>

#include <array>
#include <string_view>

namespace parley::api {
namespace {

using boost::json::array;
using boost::json::object;

struct RunEventType {
    std::string_view type;
    fields::SchemaInfo schema_info;
};

constexpr std::array run_event_types = {
    RunEventType{"run.created",
                 {"RunCreatedEvent", "First event: the question is stored and will be answered."}},
    RunEventType{"run.completed",
                 {"RunCompletedEvent", "Last event: the complete run, with answer and usage."}},
    RunEventType{"run.failed",
                 {"RunFailedEvent", "Last event: `run.error` says why; the text so far is kept."}},
    RunEventType{"run.cancelled", {"RunCancelledEvent", "Last event: the run was cancelled."}},
    RunEventType{"run.interrupted",
                 {"RunInterruptedEvent",
                  "Last event: the server stopped, and the model cannot continue the answer."}},
};

object schema_of(const RunEventType& event)
{
    object about = fields::schema<RunEvent>(fields::Direction::response);
    about["title"] = event.schema_info.name;
    about["summary"] = event.schema_info.meaning;
    auto& type = about["properties"].as_object()["type"].as_object();
    type["enum"] = array{event.type};
    type["examples"] = array{event.type};
    return about;
}

}  // namespace

object event_schema()
{
    array all;
    object by_type;
    const auto add = [&](object about) {
        const auto& type = about.at("properties").at("type").at("enum").at(0).as_string();
        const auto& name = about.at("title").as_string();
        by_type[type] = "#/components/schemas/" + std::string(name);
        all.push_back(std::move(about));
    };
    for (const RunEventType& event : run_event_types) add(schema_of(event));
    add(fields::schema<DeltaEvent>(fields::Direction::response));
    add(fields::schema<SnapshotEvent>(fields::Direction::response));
    return {{"title", "RunStreamEvent"},
            {"summary",
             "Data of an event of a run. `type` is also the name of the event, `sequence_number` "
             "its id: 1, 2, 3 … without a gap. New types may be added."},
            {"oneOf", std::move(all)},
            {"discriminator", object{{"propertyName", "type"}, {"mapping", std::move(by_type)}}}};
}

object event_stream_schema(object data)
{
    return {{"type", "string"},
            {"contentMediaType", "text/event-stream"},
            {"contentSchema", std::move(data)}};
}

}  // namespace parley::api
