#include "reference/openapi_components.hpp"

#include "auth/scope.hpp"
#include "reference/problem_guide.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>

namespace parley::reference {

using namespace api;
namespace {

using boost::json::array;
using boost::json::object;

struct KnownField {
    std::string_view name;
    std::string_view meaning;
    std::string_view type;  // A type of JSON Schema.
    std::string_view example;
};

constexpr std::array known_fields = std::to_array<KnownField>({
    {"X-Request-Id",
     "Id of the request in the server's log: your own, if you sent one of 1 to 64 characters of "
     "`[A-Za-z0-9_.-]`.",
     "string", "req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"},
    {"RateLimit",
     "The limit class of the request: requests remaining (`r`), and seconds until one more is "
     "allowed (`t`).",
     "string", "\"chat\";r=29;t=60"},
    {"RateLimit-Policy", "The limit of that class: `q` requests in any `w` seconds.", "string",
     "\"chat\";q=30;w=60"},
    {"X-RateLimit-Limit", "The limit, for clients that do not read `RateLimit-Policy`.", "integer",
     "30"},
    {"X-RateLimit-Remaining", "Requests remaining, as in `RateLimit`.", "integer", "29"},
    {"X-RateLimit-Reset", "When one more is allowed, in Unix seconds.", "integer", "1769851800"},
    {"Retry-After", "Seconds after which to retry; never too short.", "integer", "12"},
    {"WWW-Authenticate", "The kind of token that is needed, and what is wrong with this one.",
     "string", "Bearer realm=\"parley\", error=\"invalid_token\""},
    {"Location", "The address of the new resource.", "string",
     "/v1/api/chat/runs/run_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"},
    {"Link", "The next page, as `rel=\"next\"`; absent on the last one.", "string",
     "</v1/api/chat/sessions?after=AbC>; rel=\"next\""},
    {"ETag", "The version of the resource.", "string", "\"7\""},
    {"X-Run-Id", "The run that answers.", "string", "run_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"},
    {"Idempotency-Replayed",
     "`true` if the key was used before: this is the first response, repeated.", "string", "true"},
    {"x-should-retry",
     "`false`: the model had begun to answer, and a retry would be answered twice. OpenAI's "
     "clients respect it.",
     "string", "false"},
    {"Preference-Applied", "The wait that was applied.", "string", "wait=10"},
    {"Cache-Control", "How long it may be cached.", "string", "public, max-age=300"},
    {"Content-Disposition", "The name of the file.", "string",
     "inline; filename=\"9f86d081884c7d65.png\""},
    {"Vary", "The header fields that select the representation.", "string", "Accept-Encoding"},
});

object described(const KnownField& field)
{
    boost::json::value example = boost::json::string(field.example);
    object schema{{"type", field.type}};
    if (field.type == "integer") {
        example = std::stoll(std::string(field.example));
        schema["format"] = "int64";
    }
    return {{"description", field.meaning}, {"schema", std::move(schema)}, {"example", example}};
}

bool has_schema_info(const object& schema)
{
    const auto* title = schema.if_contains("title");
    const auto* summary = schema.if_contains("summary");
    return title && summary && title->is_string() && summary->is_string();
}

// Takes null out of the types; true if it was there.
bool take_null(object& schema)
{
    auto* types = schema.if_contains("type");
    if (!types || !types->is_array()) return false;
    schema["type"] = array(types->as_array()).at(0);
    return true;
}

// The value of such a keyword is not a schema.
bool holds_data(std::string_view keyword)
{
    return keyword == "default" || keyword == "examples" || keyword == "enum" || keyword == "const";
}

void tell_defaults_in_words(boost::json::value& schema)
{
    if (auto* list = schema.if_array())
        for (auto& each : *list) tell_defaults_in_words(each);
    auto* about = schema.if_object();
    if (!about) return;
    for (auto& [keyword, value] : *about) {
        if (keyword == "properties")  // One of them can be called `default`.
            for (auto& each : value.as_object()) tell_defaults_in_words(each.value());
        else if (!holds_data(keyword))
            tell_defaults_in_words(value);
    }
    const auto* given = about->if_contains("default");
    if (!given) return;
    const auto* before = about->if_contains("description");
    std::string text = before && before->is_string() ? std::string(before->as_string()) + " " : "";
    text += "Default: `" + boost::json::serialize(*given) + "`.";
    about->erase("default");
    (*about)["description"] = text;
}

object problem_examples()
{
    object examples;
    for (const Problem& problem : problems())
        examples[problem.code] = object{{"summary", problem.title}, {"value", example_of(problem)}};
    return examples;
}

object security_schemes()
{
    std::string text =
        "A token in the header field `Authorization`: `Bearer plp_…`. Tokens come from a login, "
        "from "
        "`POST /v1/api/tokens` or from `parley token create`. Scopes:";
    for (const auto& [scope, name] : auth::all_scopes)
        text.append(text.ends_with(':') ? " `" : ", `").append(name).append("`");
    const auto signature = [](const char* field, const char* meaning) {
        return object{
            {"type", "apiKey"}, {"in", "header"}, {"name", field}, {"description", meaning}};
    };
    return {{"bearer", object{{"type", "http"}, {"scheme", "bearer"}, {"description", text + "."}}},
            {"hook_token",
             object{{"type", "http"},
                    {"scheme", "bearer"},
                    {"description",
                     "The token of a hook, `plh_…`: it may start one automation and read the runs "
                     "that it started. It comes with the automation, and from `hook/rotate`."}}},
            {"webhook_signature",
             signature("webhook-signature",
                       "Standard Webhooks 1.0, with `webhook-id` and `webhook-timestamp`.")},
            {"github_signature",
             signature("X-Hub-Signature-256",
                       "HMAC-SHA256 of the body, as webhooks of GitHub carry it.")}};
}

}  // namespace

object reference_to(std::string_view kind, std::string_view name)
{
    return {{"$ref", std::string("#/components/").append(kind).append("/").append(name)}};
}

void OpenApiComponents::place(boost::json::value& schema)
{
    if (auto* list = schema.if_array())
        for (auto& each : *list) place(each);
    auto* about = schema.if_object();
    if (!about) return;
    for (auto& each : *about) place(each.value());
    if (!has_schema_info(*about)) return;

    const std::string name((*about)["title"].as_string());
    const boost::json::value use =
        about->contains("description") ? (*about)["description"] : nullptr;
    object component = std::move(*about);
    const bool may_be_null = take_null(component);
    component["description"] = component["summary"];
    component.erase("summary");
    component.erase("title");
    // These belong to the field that uses it.
    component.erase("examples");
    std::optional<boost::json::value> fallback;
    if (const auto* given = component.if_contains("default")) fallback = *given;
    component.erase("default");
    const auto [known, added] = schemas_.emplace(name, component);
    if (!added && known->value() != component)
        throw std::logic_error("two schemas are called " + name);

    object reference = reference_to("schemas", name);
    if (may_be_null) reference = {{"oneOf", array{std::move(reference), object{{"type", "null"}}}}};
    if (!use.is_null()) reference["description"] = use;
    if (fallback) reference["default"] = std::move(*fallback);
    schema = std::move(reference);
}

boost::json::value OpenApiComponents::placed(const object& schema)
{
    boost::json::value copy = schema;
    place(copy);
    return copy;
}

boost::json::value OpenApiComponents::placed_request(const object& schema)
{
    boost::json::value copy = schema;
    tell_defaults_in_words(copy);
    place(copy);
    return copy;
}

object OpenApiComponents::field(const std::string& name)
{
    const auto* known = std::ranges::find(known_fields, name, &KnownField::name);
    if (known == known_fields.end())
        throw std::logic_error("no description of the header field " + name);
    fields_[name] = described(*known);
    return reference_to("headers", name);
}

object OpenApiComponents::response(const std::string& name, object about)
{
    const auto [known, added] = responses_.emplace(name, about);
    if (!added && known->value() != about)
        throw std::logic_error("two responses are called " + name);
    return reference_to("responses", name);
}

object OpenApiComponents::all() &&
{
    return {{"schemas", std::move(schemas_)},
            {"headers", std::move(fields_)},
            {"responses", std::move(responses_)},
            {"examples", problem_examples()},
            {"securitySchemes", security_schemes()}};
}

}  // namespace parley::reference
