#include "base/json.hpp"
#include "schema/complexity.hpp"
#include "schema/prune.hpp"
#include "schema/reader.hpp"
#include "schema/readings.hpp"
#include "schema/recent.hpp"
#include "schema/smallest.hpp"
#include "schema/unroll.hpp"

#include <boost/json/serializer.hpp>

#include <optional>

namespace parley::schema {
namespace {

// Nothing if it is too long; then it is not written to its end.
std::optional<std::string> written(const boost::json::value& json)
{
    boost::json::serializer writer;
    writer.reset(&json);
    std::string text(max_bytes, '\0');
    const std::size_t size = writer.read(text.data(), text.size()).size();
    if (!writer.done()) return {};
    text.resize(size);
    return text;
}

}  // namespace

SchemaRef check(const boost::json::value& json, const fields::FieldPath& at)
{
    auto text = written(json);
    if (!text) {
        at.fault(unsupported_schema, "must have at most 65,536 bytes");
        return nullptr;
    }
    if (auto known = recent_schemas().find(*text)) return known;
    const std::size_t faults_before = at.reading().faults.size();
    auto schema = std::make_shared<Schema>(read_schema(json, at));
    if (at.reading().faults.size() > faults_before) return nullptr;
    if (returns_without_a_level(*schema)) {
        at.fault(unsupported_schema, "refers to itself without a property or an item between");
        return nullptr;
    }
    if (!prune(*schema)) {
        at.fault(unsupported_schema, "has no valid value");
        return nullptr;
    }
    if (is_too_complex(*schema)) {
        at.fault(unsupported_schema, "is too complex: it has too many choices or repetitions");
        return nullptr;
    }
    if (!unrolled_size(*schema)) {
        at.fault(unsupported_schema, "its values are nested too deeply, or in too many ways");
        return nullptr;
    }
    if (Readings(schema->nodes).are_too_many(schema->root)) {
        at.fault(
            unsupported_schema,
            "is too complex: values of different choices begin alike, in too many ways; give the "
            "objects of a choice a required constant as their first property");
        return nullptr;
    }
    if (!smallest_if_any(*schema)) {
        at.fault(unsupported_schema, "its values are too large");
        return nullptr;
    }
    schema->text = std::move(*text);
    recent_schemas().keep(schema);
    return schema;
}

SchemaRef restored(std::string_view text)
{
    if (text.empty()) return any_object();
    if (auto known = recent_schemas().find(text)) return known;
    const auto parsed = json::parse(text);
    if (!parsed) return nullptr;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    return check(*parsed, fields::FieldPath(reading, "#"));
}

SchemaRef any_object()
{
    static const SchemaRef shared =
        std::make_shared<Schema>(Schema{.nodes = {{.kind = Kind::any_object}}});
    return shared;
}

}  // namespace parley::schema
