#include "api/openapi.hpp"

#include "api/problem.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <map>

namespace parley::api {
namespace {

using boost::json::array;
using boost::json::object;

// "GET /problems/{code}" becomes "get_problems_code".
std::string operation_id(const Route& route)
{
    std::string id;
    for (const char each : route.method + route.path) {
        const bool letter = (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
        if (each >= 'A' && each <= 'Z')
            id += char(each + 32);
        else if (letter)
            id += each;
        else if (!id.ends_with('_'))
            id += '_';
    }
    while (id.ends_with('_')) id.pop_back();
    return id;
}

std::string lower(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return small;
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
        const auto is_it = [&](const boost::json::value& each) { return each == name; };
        if (place == "path" || (required && std::ranges::any_of(required->as_array(), is_it)))
            parameter["required"] = true;
        parameter["schema"] = std::move(described);
        parameters.push_back(std::move(parameter));
    }
}

object json_content(boost::json::value schema, std::string_view type = "application/json")
{
    return {{type, object{{"schema", std::move(schema)}}}};
}

object reference(const std::string& place) { return {{"$ref", "#/components/" + place}}; }

// What can go wrong with every request, and what only with some.
std::vector<Errc> errors_of(const Route& route)
{
    std::vector<Errc> errors = {Errc::invalid_request, Errc::overloaded, Errc::internal};
    if (route.access) {
        errors.insert(errors.end(), {Errc::missing_token, Errc::invalid_token});
        if (route.access->scope) errors.push_back(Errc::insufficient_scope);
    }
    if (route.path_schema) errors.push_back(Errc::not_found);
    if (route.request_schema)
        errors.insert(errors.end(),
                      {Errc::invalid_json, Errc::body_too_large, Errc::unsupported_media_type});
    if (route.path_schema || route.query_schema || route.request_schema)
        errors.push_back(Errc::validation_failed);
    return errors;
}

object responses_of(const Route& route)
{
    object success{{"description", route.summary}};
    if (route.response_schema) success["content"] = json_content(*route.response_schema);
    object responses{{std::to_string(route.success_status), std::move(success)}};

    std::map<int, std::string> titles;
    for (const Errc error : errors_of(route)) {
        const Problem& problem = problem_of(error);
        auto& title = titles[problem.status];
        title.append(title.empty() ? "" : " · ").append(problem.title);
        title.append(" (`").append(problem.code).append("`)");
    }
    const auto problem = json_content(reference("schemas/Problem"), "application/problem+json");
    for (const auto& [status, title] : titles)
        responses[std::to_string(status)] = object{{"description", title}, {"content", problem}};
    responses["default"] = reference("responses/Problem");
    return responses;
}

object operation_of(const Route& route)
{
    object operation{{"operationId", operation_id(route)}, {"summary", route.summary}};
    array parameters;
    if (route.path_schema) add_parameters(parameters, *route.path_schema, "path");
    if (route.query_schema) add_parameters(parameters, *route.query_schema, "query");
    if (!parameters.empty()) operation["parameters"] = std::move(parameters);
    if (route.request_schema)
        operation["requestBody"] =
            object{{"required", true}, {"content", json_content(*route.request_schema)}};
    operation["responses"] = responses_of(route);
    operation["security"] = array{};
    if (route.access) {
        array scopes;
        if (route.access->scope) scopes.emplace_back(auth::name_of(*route.access->scope));
        operation["security"] = array{object{{"bearer", std::move(scopes)}}};
    }
    return operation;
}

object problem_schema()
{
    array codes;
    for (const Problem& problem : problems()) codes.emplace_back(problem.code);
    const auto text = [](std::string_view meaning) {
        return object{{"type", "string"}, {"description", meaning}};
    };
    const object fault{
        {"type", "object"},
        {"properties",
         object{{"pointer", text("Where in the body, RFC 6901.")},
                {"parameter", text("Which parameter of the path, the query or the header.")},
                {"code", text("What programs tell faults apart by.")},
                {"detail", text("What is wrong there.")}}},
        {"required", array{"code", "detail"}}};
    return {
        {"type", "object"},
        {"description",
         "What went wrong, RFC 9457. Clients decide by `code`; more of them may come."},
        {"properties",
         object{{"type", text("The address of a page about this problem.")},
                {"title", text("What happened, in a few words.")},
                {"status", object{{"type", "integer"}, {"description", "The HTTP status."}}},
                {"detail", text("What happened this time.")},
                {"instance", text("This very occurrence.")},
                {"code", object{{"type", "string"},
                                {"description", "What programs tell problems apart by."},
                                {"examples", std::move(codes)}}},
                {"request_id", text("What the server's log calls the request.")},
                {"errors", object{{"type", "array"},
                                  {"description", "All that is wrong with the request."},
                                  {"items", fault}}}}},
        {"required", array{"type", "title", "status", "detail", "instance", "code", "request_id"}}};
}

object components()
{
    return {{"schemas", object{{"Problem", problem_schema()}}},
            {"responses",
             object{{"Problem", object{{"description", "Any other problem; its `code` says which."},
                                       {"content", json_content(reference("schemas/Problem"),
                                                                "application/problem+json")}}}}},
            {"securitySchemes",
             object{{"bearer",
                     object{{"type", "http"},
                            {"scheme", "bearer"},
                            {"description", "A token, in the header field Authorization."}}}}}};
}

object contact_of(std::string_view contact)
{
    if (contact.starts_with("http://") || contact.starts_with("https://"))
        return {{"url", contact}};
    if (contact.starts_with("mailto:")) contact.remove_prefix(7);
    if (contact.find('@') != contact.npos) return {{"email", contact}};
    return {{"name", contact}};
}

}  // namespace

object openapi(const std::vector<Route>& routes, const OpenApiInfo& info)
{
    object about{{"title", "Parley"},
                 {"version", info.version},
                 {"summary", "AI chat and automation as a service of one's own."}};
    if (!info.contact.empty()) about["contact"] = contact_of(info.contact);

    object paths;
    for (const Route& route : routes) {
        auto& path = paths[route.path];
        if (!path.is_object()) path = object{};
        path.as_object()[lower(route.method)] = operation_of(route);
    }
    return {{"openapi", "3.1.0"},
            {"info", std::move(about)},
            {"servers",
             array{object{{"url", info.public_url.empty() ? std::string("/") : info.public_url}}}},
            {"paths", std::move(paths)},
            {"components", components()}};
}

}  // namespace parley::api
