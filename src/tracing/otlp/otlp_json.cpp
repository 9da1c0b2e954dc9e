#include "tracing/otlp/otlp_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace parley::tracing::otlp {
namespace {

namespace json = boost::json;

constexpr int status_error = 2;

// Numbers of 64 bits are texts in this encoding.
std::string nanoseconds(TimePoint time)
{
    return std::to_string(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

json::object attribute(std::string_view name, json::object value)
{
    return {{"key", name}, {"value", std::move(value)}};
}

json::object attribute(const Attribute& given)
{
    if (const auto* number = std::get_if<std::int64_t>(&given.value))
        return attribute(given.name, {{"intValue", std::to_string(*number)}});
    return attribute(given.name, {{"stringValue", std::get<std::string>(given.value)}});
}

json::object span_object(const Span& span)
{
    json::object made{{"traceId", span.trace},
                      {"spanId", span.id},
                      {"name", span.name},
                      {"kind", static_cast<int>(span.kind)},
                      {"startTimeUnixNano", nanoseconds(span.begin)},
                      {"endTimeUnixNano", nanoseconds(span.end)}};
    if (!span.parent.empty()) made["parentSpanId"] = span.parent;
    json::array attributes;
    for (const Attribute& each : span.attributes) attributes.push_back(attribute(each));
    made["attributes"] = std::move(attributes);
    if (span.error) made["status"] = {{"code", status_error}, {"message", *span.error}};
    return made;
}

}  // namespace

std::string traces_json(const Resource& resource, std::span<const Span> spans)
{
    json::array list;
    for (const Span& span : spans) list.push_back(span_object(span));
    const json::array about{attribute("service.name", {{"stringValue", "parley"}}),
                            attribute("service.version", {{"stringValue", resource.version}}),
                            attribute("service.instance.id", {{"stringValue", resource.instance}})};
    json::object scope;
    scope["scope"] = json::object{{"name", "parley"}, {"version", resource.version}};
    scope["spans"] = std::move(list);
    json::object of_resource;
    of_resource["resource"] = json::object{{"attributes", about}};
    of_resource["scopeSpans"] = json::array{std::move(scope)};
    json::object all;
    all["resourceSpans"] = json::array{std::move(of_resource)};
    return json::serialize(all);
}

}  // namespace parley::tracing::otlp
