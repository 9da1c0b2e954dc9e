#include "reference/openapi_responses.hpp"

#include "api/openai_error.hpp"
#include "api/problem.hpp"
#include "api/sample.hpp"
#include "api/wire/problem.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <map>

namespace parley::reference {

using namespace api;
namespace {

using boost::json::object;

// Errors of all requests, and those of this route only.
std::vector<Errc> errors_of(const Route& route)
{
    std::vector<Errc> errors = {Errc::internal, Errc::overloaded, Errc::shutting_down};
    const auto add = [&](std::initializer_list<Errc> more) { errors.insert(errors.end(), more); };
    // Token and query may be malformed; other routes do not read them.
    if (route.is_counted())
        add({Errc::invalid_request, Errc::rate_limited, Errc::storage_unavailable});
    if (route.is_signed()) {
        add({Errc::invalid_credentials});
    } else if (route.access) {
        add({Errc::missing_token, Errc::invalid_token});
        const bool has_scopes = route.access->credential == Credential::token;
        if (has_scopes && (route.access->scope || route.access->by_user))
            add({Errc::insufficient_scope});
    }
    if (route.path_schema) add({Errc::not_found});
    if (route.request_schema)
        add({Errc::invalid_json, Errc::body_too_large, Errc::unsupported_media_type});
    // Under /v1 an unknown parameter is one of the faults.
    const bool is_strict = route.unknown_fields == fields::UnknownFields::refused;
    if (route.query_schema || route.request_schema || (is_versioned(route) && is_strict))
        add({Errc::validation_failed});
    errors.insert(errors.end(), route.route_docs.errors.begin(), route.route_docs.errors.end());
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
        answers_["default"] = components_.response(kind() + "default", std::move(others));
        return std::move(answers_);
    }

private:
    object fields(const std::vector<std::string>& more)
    {
        std::vector<std::string> names = {"X-Request-Id"};
        if (route_.is_counted())
            names.insert(names.end(), {"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit",
                                       "X-RateLimit-Remaining", "X-RateLimit-Reset"});
        names.insert(names.end(), more.begin(), more.end());
        object described;
        for (const std::string& name : names) described[name] = components_.field(name);
        return described;
    }

    // The prefix of the names of shared responses: equal names mean equal responses.
    std::string kind() const
    {
        std::string text = route_.errors == ErrorShape::openai ? "openai-" : "problem-";
        if (!route_.is_counted()) text += "uncounted-";
        return text;
    }

    bool documents_run() const { return !route_.route_docs.run_fields.empty(); }

    // Additional header fields of failed runs: OpenAI's clients are told not to retry.
    std::vector<std::string> fields_of_run(int status) const
    {
        const bool openai = route_.errors == ErrorShape::openai;
        if (!documents_run() || (status < 500 && !(openai && status == 409))) return {};
        std::vector<std::string> names = route_.route_docs.run_fields;
        if (openai && status != 500 && status != 503) names.emplace_back("x-should-retry");
        return names;
    }

    void add_good_ones()
    {
        if (route_.response_schema || route_.route_docs.answers.empty()) {
            object& good = answer(route_.success_status, route_.summary + ".");
            if (route_.response_schema)
                good["content"] =
                    object{{"application/json",
                            object{{"schema", components_.placed(*route_.response_schema)},
                                   {"example", sample_of(*route_.response_schema,
                                                         fields::Direction::response)}}}};
        }
        for (const DocumentedResponse& told : route_.route_docs.answers) {
            object& good = answer(told.status, told.meaning);
            for (const std::string& name : told.sent_fields)
                good["headers"].as_object()[name] = components_.field(name);
            if (told.media_type.empty()) continue;
            auto& content = good["content"];
            if (!content.is_object()) content = object{};
            object shown{{"schema", components_.placed(told.schema)}};
            if (told.schema.contains("title"))
                shown["example"] = sample_of(told.schema, fields::Direction::response);
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
            if (before != meaning)
                found.as_object()["description"] = before + " " + std::string(meaning);
        } else {
            std::vector<std::string> more = route_.route_docs.sent_fields;
            more.insert(more.end(), route_.route_docs.run_fields.begin(),
                        route_.route_docs.run_fields.end());
            found = object{{"description", meaning}, {"headers", fields(more)}};
        }
        return found.as_object();
    }

    // The status of an error on this route.
    int status_of(Errc error) const
    {
        return route_.errors == ErrorShape::openai ? openai_error_response({error, ""}).status
                                                   : problem_of(error).status;
    }

    object problem_content(const std::vector<Errc>& errors)
    {
        if (route_.errors == ErrorShape::openai) {
            const auto schema = fields::schema<OpenAiError>(fields::Direction::response);
            return {{"application/json",
                     object{{"schema", components_.placed(schema)},
                            {"example", sample_of(schema, fields::Direction::response)}}}};
        }
        object content{{"schema", components_.placed(
                                      fields::schema<ProblemBody>(fields::Direction::response))}};
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
            std::string name = kind() + std::to_string(status);
            for (const Errc error : errors) {
                const Problem& problem = problem_of(error);
                meaning.append(meaning.empty() ? "" : " · ").append(problem.title);
                meaning.append(" (`").append(problem.code).append("`)");
                name.append("-").append(problem.code);
            }
            std::vector<std::string> more = fields_of_run(status);
            if (!more.empty()) name += "-run";
            if (status == 401 || status == 403) more.emplace_back("WWW-Authenticate");
            if (status == 429 || status == 503) more.emplace_back("Retry-After");
            answers_[std::to_string(status)] =
                components_.response(name, {{"description", meaning},
                                            {"headers", fields(more)},
                                            {"content", problem_content(errors)}});
        }
    }

    const Route& route_;
    OpenApiComponents& components_;
    object answers_;
};

}  // namespace

object openapi_responses(const Route& route, OpenApiComponents& components)
{
    return Answers(route, components).all();
}

}  // namespace parley::reference
