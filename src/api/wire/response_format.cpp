#include "api/wire/response_format.hpp"

#include <string_view>

namespace parley::api {
namespace {

using boost::json::object;
using boost::json::value;

enum class FormatType { text, json_object, json_schema };

// Records a fault if there is no valid type.
std::optional<FormatType> type_of(const value& json, const fields::FieldPath& at)
{
    if (!json.is_object()) {
        at.fault("wrong_type", "must be an object");
        return {};
    }
    const value* type = json.as_object().if_contains("type");
    if (!type) {
        at.member("type").fault("required", "is required");
        return {};
    }
    if (*type == "text") return FormatType::text;
    if (*type == "json_object") return FormatType::json_object;
    if (*type == "json_schema") return FormatType::json_schema;
    at.member("type").fault("not_allowed", "must be one of text, json_object, json_schema");
    return {};
}

void refuse_other_members(const object& json, std::string_view also, const fields::FieldPath& at)
{
    if (at.reading().unknown == fields::UnknownFields::ignored) return;
    for (const auto& member : json)
        if (member.key() != "type" && member.key() != boost::json::string_view(also))
            at.member({member.key().data(), member.key().size()})
                .fault("unknown_field", "is not known here");
}

schema::SchemaRef schema_in(const object& json, const fields::FieldPath& at)
{
    const fields::FieldPath spot = at.member("schema");
    if (const value* found = json.if_contains("schema")) return schema::check(*found, spot);
    spot.fault("required", "is required");
    return nullptr;
}

object described(object json_schema_members)
{
    json_schema_members["type"] = {
        {"type", "string"},
        {"enum", {"text", "json_object", "json_schema"}},
        {"description",
         "`json_object`: any JSON object. `json_schema`: JSON that is valid for the schema."}};
    return {{"type", "object"},
            {"properties", std::move(json_schema_members)},
            {"required", {"type"}},
            {"examples", {nullptr}}};
}

object described_schema()
{
    return {{"type", "object"},
            {"maxProperties", 100},
            {"description",
             "A JSON Schema (2020-12) of at most 64 KiB. Supported: `type`, `properties`, "
             "`required`, `additionalProperties` (false), `items`, `minItems`, `maxItems`, `enum`, "
             "`const`, `anyOf`, `$ref` into `#/$defs`, `minLength`, `maxLength`, `format` (`date`, "
             "`time`, `date-time`, `uuid`), and the bounds of integers."}};
}

}  // namespace

bool ResponseFormat::read(const value& json, const fields::FieldPath& at)
{
    const auto type = type_of(json, at);
    if (!type) return false;
    json_ = json.as_object();
    refuse_other_members(json_, *type == FormatType::json_schema ? "schema" : "type", at);
    if (*type == FormatType::json_object) format = schema::any_object();
    if (*type == FormatType::json_schema) format = schema_in(json_, at);
    return true;
}

object ResponseFormat::schema() { return described({{"schema", described_schema()}}); }

bool CompletionFormat::read(const value& json, const fields::FieldPath& at)
{
    const auto type = type_of(json, at);
    if (!type) return false;
    json_ = json.as_object();
    if (*type == FormatType::json_object) format = schema::any_object();
    if (*type != FormatType::json_schema) return true;
    const fields::FieldPath spot = at.member("json_schema");
    const value* described = json_.if_contains("json_schema");
    if (!described)
        spot.fault("required", "is required");
    else if (!described->is_object())
        spot.fault("wrong_type", "must be an object");
    else
        format = schema_in(described->as_object(), spot);
    return true;
}

object CompletionFormat::schema()
{
    object members{
        {"name", {{"type", "string"}, {"description", "Name of the schema. Has no effect."}}},
        {"description", {{"type", "string"}, {"description", "Has no effect."}}},
        {"strict",
         {{"type", {"boolean", "null"}}, {"description", "The schema is always enforced."}}},
        {"schema", described_schema()}};
    object nested{{"type", "object"}, {"properties", std::move(members)}, {"required", {"schema"}}};
    return described({{"json_schema", std::move(nested)}});
}

}  // namespace parley::api
