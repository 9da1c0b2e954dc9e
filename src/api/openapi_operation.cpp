#include "api/openapi_operation.hpp"

#include "api/openai_error.hpp"
#include "api/openapi_sample.hpp"
#include "api/problem.hpp"
#include "api/wire/problem.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <map>

namespace parley::api {
namespace {

using boost::json::array;
using boost::json::object;

// "list_sessions" becomes "listSessions", which every generator of clients knows how to turn into
// the manner of its language.
std::string operation_id(const std::string& name)
{
    std::string id;
    bool capital = false;
    for (const char each : name) {
        if (each == '_') {
            capital = true;
            continue;
        }
        id += capital && each >= 'a' && each <= 'z' ? char(each - 32) : each;
        capital = false;
    }
    return id;
}

bool is_versioned(const Route& route) { return route.path.starts_with("/v1/"); }

std::string text_of(const Route& route)
{
    std::string text = route.story.text.empty() ? route.summary + "." : route.story.text;
    text += "\n\n";
    if (!route.access)
        text += "Needs no token.";
    else if (route.access->scope)
        text.append("Needs a token with the scope `")
            .append(auth::name_of(*route.access->scope))
            .append("`.");
    else
        text += route.access->by_user ? "Needs a token of a user." : "Needs any valid token.";
    if (!is_versioned(route)) return text + " Is not counted by any limit.";
    text.append(" Counts in the class `").append(limits::name(route.limit)).append("`");
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
        // An absent parameter is left out: there is no way to write null.
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

// What can go wrong with every request, and what only with some.
std::vector<Errc> errors_of(const Route& route)
{
    std::vector<Errc> errors = {Errc::invalid_request, Errc::internal, Errc::overloaded,
                                Errc::shutting_down};
    const auto add = [&](std::initializer_list<Errc> more) { errors.insert(errors.end(), more); };
    if (is_versioned(route)) add({Errc::rate_limited, Errc::storage_unavailable});
    if (route.access) {
        add({Errc::missing_token, Errc::invalid_token});
        if (route.access->scope || route.access->by_user) add({Errc::insufficient_scope});
    }
    if (route.path_schema) add({Errc::not_found});
    if (route.request_schema)
        add({Errc::invalid_json, Errc::body_too_large, Errc::unsupported_media_type});
    add({Errc::validation_failed});  // Unknown parameters, where nothing else.
    errors.insert(errors.end(), route.story.errors.begin(), route.story.errors.end());
    return errors;
}

class Answers {
public:
    Answers(const Route& route, OpenApiComponents& components)
        : route_(route), components_(components)
    {
    }

    object all() &&
    {
        add_good_ones();
        add_problems();
        object others{{"description", "Any other problem; its `code` says which."}};
        others["headers"] = fields({});
        others["content"] = problem_content({Errc::request_timeout, Errc::uri_too_long,
                                             Errc::headers_too_large, Errc::expectation_failed,
                                             Errc::method_not_allowed, Errc::not_implemented});
        answers_["default"] = std::move(others);
        return std::move(answers_);
    }

private:
    object fields(const std::vector<std::string>& more)
    {
        std::vector<std::string> names = {"X-Request-Id"};
        if (is_versioned(route_))
            names.insert(names.end(), {"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit",
                                       "X-RateLimit-Remaining", "X-RateLimit-Reset"});
        names.insert(names.end(), more.begin(), more.end());
        object described;
        for (const std::string& name : names) described[name] = components_.field(name);
        return described;
    }

    void add_good_ones()
    {
        if (route_.response_schema || route_.story.answers.empty()) {
            object& good = answer(route_.success_status, route_.summary + ".");
            if (route_.response_schema)
                good["content"] = object{
                    {"application/json",
                     object{{"schema", components_.placed(*route_.response_schema)},
                            {"example", sample_of(*route_.response_schema, wire::Way::out)}}}};
        }
        for (const ToldAnswer& told : route_.story.answers) {
            object& good = answer(told.status, told.meaning);
            for (const std::string& name : told.sent_fields)
                good["headers"].as_object()[name] = components_.field(name);
            if (told.media_type.empty()) continue;
            auto& content = good["content"];
            if (!content.is_object()) content = object{};
            object shown{{"schema", components_.placed(told.schema)}};
            if (told.schema.contains("title"))
                shown["example"] = sample_of(told.schema, wire::Way::out);
            else if (!told.example.empty())
                shown["example"] = told.example;
            content.as_object()[told.media_type] = std::move(shown);
        }
    }

    object& answer(int status, std::string_view meaning)
    {
        auto& found = answers_[std::to_string(status)];
        if (found.is_object()) {
            const std::string before(found.at("description").as_string());
            found.as_object()["description"] = before + " " + std::string(meaning);
        } else {
            found = object{{"description", meaning}, {"headers", fields(route_.story.sent_fields)}};
        }
        return found.as_object();
    }

    // What an error is told with on this route.
    int status_of(Errc error) const
    {
        return route_.errors == ErrorShape::openai ? openai_error_response({error, ""}).status
                                                   : problem_of(error).status;
    }

    object problem_content(const std::vector<Errc>& errors)
    {
        if (route_.errors == ErrorShape::openai) {
            const auto schema = wire::schema<OpenAiError>(wire::Way::out);
            return {{"application/json", object{{"schema", components_.placed(schema)},
                                                {"example", sample_of(schema, wire::Way::out)}}}};
        }
        object content{{"schema", components_.placed(wire::schema<ProblemBody>(wire::Way::out))}};
        object examples;
        for (const Errc error : errors) {
            const auto code = problem_of(error).code;
            examples[code] = reference_to("examples", code);
        }
        content["examples"] = std::move(examples);
        return {{"application/problem+json", std::move(content)}};
    }

    void add_problems()
    {
        std::map<int, std::vector<Errc>> by_status;
        for (const Errc error : errors_of(route_)) {
            auto& same = by_status[status_of(error)];
            if (std::ranges::find(same, error) == same.end()) same.push_back(error);
        }
        for (const auto& [status, errors] : by_status) {
            std::string meaning;
            for (const Errc error : errors) {
                const Problem& problem = problem_of(error);
                meaning.append(meaning.empty() ? "" : " · ").append(problem.title);
                meaning.append(" (`").append(problem.code).append("`)");
            }
            std::vector<std::string> more;
            if (status == 401 || status == 403) more.emplace_back("WWW-Authenticate");
            if (status == 429 || status == 503) more.emplace_back("Retry-After");
            answers_[std::to_string(status)] = object{{"description", meaning},
                                                      {"headers", fields(more)},
                                                      {"content", problem_content(errors)}};
        }
    }

    const Route& route_;
    OpenApiComponents& components_;
    object answers_;
};

}  // namespace

object openapi_operation(const Route& route, OpenApiComponents& components)
{
    object operation{{"operationId", operation_id(route.name)},
                     {"summary", route.summary},
                     {"description", text_of(route)}};
    if (!route.story.chapter.empty()) operation["tags"] = array{route.story.chapter};
    array parameters;
    if (route.path_schema) add_parameters(parameters, *route.path_schema, "path");
    if (route.query_schema) add_parameters(parameters, *route.query_schema, "query");
    if (route.story.taken_fields) add_parameters(parameters, *route.story.taken_fields, "header");
    if (!parameters.empty()) operation["parameters"] = std::move(parameters);
    if (route.request_schema)
        operation["requestBody"] = object{
            {"required", true},
            {"content",
             object{{"application/json",
                     object{{"schema", components.placed(*route.request_schema)},
                            {"example", sample_of(*route.request_schema, wire::Way::in)}}}}}};
    operation["responses"] = Answers(route, components).all();
    operation["security"] = array{};
    if (route.access) {
        array scopes;
        if (route.access->scope) scopes.emplace_back(auth::name_of(*route.access->scope));
        operation["security"] = array{object{{"bearer", std::move(scopes)}}};
    }
    if (is_versioned(route)) operation["x-limit-class"] = limits::name(route.limit);
    return operation;
}

}  // namespace parley::api
