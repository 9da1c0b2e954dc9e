#include "reference/openapi_operation.hpp"

#include "api/sample.hpp"
#include "reference/openapi_responses.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace parley::reference {

using namespace api;
namespace {

using boost::json::array;
using boost::json::object;

std::string text_of(const Route& route)
{
    std::string text = route.route_docs.text.empty() ? route.summary + "." : route.route_docs.text;
    text += "\n\n";
    if (!route.access)
        text += "Needs no token.";
    else if (route.access->credential == Credential::hook_token)
        text += "Needs the token of the hook.";
    else if (route.access->credential == Credential::hook_signature)
        text += "Needs a signature and no token.";
    else if (route.access->scope)
        text.append("Needs a token with the scope `")
            .append(auth::name_of(*route.access->scope))
            .append("`.");
    else
        text += route.access->by_user ? "Needs a token of a user." : "Needs any valid token.";
    if (!route.is_counted()) return text + " Not rate-limited.";
    text.append(" Limit class `").append(limits::name(route.limit)).append("`");
    if (route.replays) text += ", an idempotent replay in `general`";
    return text + ".";
}

void add_parameters(array& parameters, const object& schema, std::string_view place)
{
    const auto* required = schema.if_contains("required");
    for (const auto& [name, about] : schema.at("properties").as_object()) {
        object described = about.as_object();
        object parameter{{"name", name}, {"in", place}};
        if (const auto* meaning = described.if_contains("description"))
            parameter["description"] = *meaning;
        described.erase("description");
        // A parameter cannot be null; it is omitted instead.
        if (auto* types = described.if_contains("type"); types && types->is_array())
            *types = boost::json::value(types->as_array().at(0));
        if (auto* choices = described.if_contains("enum");
            choices && choices->as_array().back().is_null())
            choices->as_array().pop_back();
        const auto is_it = [&](const boost::json::value& each) { return each == name; };
        if (place == "path" || (required && std::ranges::any_of(required->as_array(), is_it)))
            parameter["required"] = true;
        if (const auto* examples = described.if_contains("examples"))
            parameter["example"] = examples->at(0);
        described.erase("examples");
        parameter["schema"] = std::move(described);
        parameters.push_back(std::move(parameter));
    }
}

// As one of several examples: the reference page fills its form with the first of those, and
// ignores a single `example`.
object body_of(const object& schema, OpenApiComponents& components)
{
    return {
        {"schema", components.placed_request(schema)},
        {"examples",
         object{{"typical", object{{"summary", "A typical request"},
                                   {"value", sample_of(schema, fields::Direction::request)}}}}}};
}

array security_of(Credential credential, array scopes)
{
    switch (credential) {
        case Credential::hook_token:
            return {object{{"hook_token", array{}}}};
        case Credential::hook_signature:
            return {object{{"webhook_signature", array{}}}, object{{"github_signature", array{}}}};
        case Credential::token:
            break;
    }
    return {object{{"bearer", std::move(scopes)}}};
}

}  // namespace

object openapi_operation(const Route& route, OpenApiComponents& components)
{
    object operation{{"operationId", route.operation},
                     {"summary", route.summary},
                     {"description", text_of(route)}};
    if (!route.route_docs.group.empty()) operation["tags"] = array{route.route_docs.group};
    array parameters;
    if (route.path_schema) add_parameters(parameters, *route.path_schema, "path");
    if (route.query_schema) add_parameters(parameters, *route.query_schema, "query");
    if (route.route_docs.taken_fields)
        add_parameters(parameters, *route.route_docs.taken_fields, "header");
    if (!parameters.empty()) operation["parameters"] = std::move(parameters);
    if (route.request_schema)
        operation["requestBody"] = object{
            {"required", true},
            {"content", object{{"application/json", body_of(*route.request_schema, components)}}}};
    operation["responses"] = openapi_responses(route, components);
    operation["security"] = array{};
    if (route.access) {
        array scopes;
        if (route.access->scope) scopes.emplace_back(auth::name_of(*route.access->scope));
        operation["security"] = security_of(route.access->credential, std::move(scopes));
    }
    if (route.is_counted()) operation["x-limit-class"] = limits::name(route.limit);
    return operation;
}

}  // namespace parley::reference
