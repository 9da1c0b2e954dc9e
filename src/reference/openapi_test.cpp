#include "reference/openapi.hpp"

#include "api/problem.hpp"
#include "reference/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

namespace parley::reference {

using namespace api;
namespace {

using boost::json::object;

struct ThingPath {
    std::string thing;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("thing", &ThingPath::thing, "Which thing."));
    }
};

struct Filter {
    std::optional<std::int64_t> limit;
    std::string word;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("limit", &Filter::limit, "How many."),
                          fields::field("word", &Filter::word, "What to look for."));
    }
};

struct Thing {
    std::string name;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("name", &Thing::name, "What it is called."));
    }
};

Result<Thing> look(Path<ThingPath> path, Query<Filter> /*filter*/) { return Thing{path.thing}; }
Result<Created<Thing>> make(Body<Thing> thing)
{
    return Created<Thing>{std::move(thing), "/things/1"};
}
Result<> drop(Path<ThingPath> /*path*/) { return {}; }

object described()
{
    return openapi({route<look>("GET", "/things/{thing}", "look", "Look at a thing", open),
                    route<drop>("DELETE", "/things/{thing}", "drop", "Drop a thing", open),
                    route<make>("POST", "/things", "make", "Make a thing", open)},
                   {.version = "1.2.3"});
}

const object& operation(const object& document, std::string_view path, std::string_view method)
{
    return document.at("paths").at(path).at(method).as_object();
}

// A response of an operation: its own, or the shared one that it refers to.
const object& response(const object& document, const object& about, std::string_view status)
{
    const object& found = about.at("responses").at(status).as_object();
    if (!found.contains("$ref")) return found;
    const std::string_view place = found.at("$ref").as_string();
    return document.at("components").at("responses").at(place.substr(23)).as_object();
}

TEST(OpenApi, TellsOfEveryRowOfTheTable)
{
    const auto routes = all_routes();
    const auto document = openapi(routes, {.version = "1.2.3"});
    EXPECT_EQ(document.at("openapi"), "3.1.0");
    EXPECT_EQ(document.at("info").at("version"), "1.2.3");
    std::size_t operations = 0;
    std::set<std::string> ids;
    for (const auto& [path, methods] : document.at("paths").as_object()) {
        operations += methods.as_object().size();
        for (const auto& [method, about] : methods.as_object())
            ids.emplace(about.at("operationId").as_string());
    }
    EXPECT_EQ(operations, routes.size());
    EXPECT_EQ(ids.size(), routes.size()) << "operations must have names of their own";
}

TEST(OpenApi, TakesParametersOutOfPathAndQuery)
{
    const auto document = described();
    const auto& parameters = operation(document, "/things/{thing}", "get").at("parameters");
    ASSERT_EQ(parameters.as_array().size(), 3U);
    const auto& thing = parameters.at(0);
    EXPECT_EQ(thing.at("name"), "thing");
    EXPECT_EQ(thing.at("in"), "path");
    EXPECT_EQ(thing.at("required"), true);
    EXPECT_EQ(thing.at("description"), "Which thing.");
    EXPECT_FALSE(thing.at("schema").as_object().contains("description"));
    EXPECT_EQ(parameters.at(1).at("in"), "query");
    EXPECT_FALSE(parameters.at(1).as_object().contains("required"));
    EXPECT_EQ(parameters.at(2).at("required"), true);
}

TEST(OpenApi, ShowsBodiesByTheirSchemas)
{
    const auto document = described();
    const auto& made = operation(document, "/things", "post");
    EXPECT_EQ(made.at("requestBody").at("required"), true);
    EXPECT_EQ(made.at("requestBody").at_pointer("/content/application~1json/schema"),
              fields::schema<Thing>());
    EXPECT_TRUE(made.at("responses").at("201").at("content").is_object());
    const auto& dropped = operation(document, "/things/{thing}", "delete").at("responses");
    EXPECT_FALSE(dropped.at("204").as_object().contains("content"));
}

TEST(OpenApi, NamesTheErrorsThatAnOperationCanGive)
{
    const auto document = described();
    const auto statuses = [&](std::string_view path, std::string_view method) {
        std::set<std::string> found;
        for (const auto& [status, about] :
             operation(document, path, method).at("responses").as_object())
            found.emplace(status);
        return found;
    };
    EXPECT_EQ(statuses("/things", "post"),
              (std::set<std::string>{"201", "400", "413", "415", "422", "500", "503", "default"}));
    EXPECT_EQ(statuses("/things/{thing}", "get"),
              (std::set<std::string>{"200", "404", "422", "500", "503", "default"}))
        << "its query may be wrong, but not malformed in a way that anybody looks at";
    EXPECT_EQ(statuses("/things/{thing}", "delete"),
              (std::set<std::string>{"204", "404", "500", "503", "default"}));
    const auto& bad = response(document, operation(document, "/things", "post"), "400");
    EXPECT_THAT(std::string(bad.at("description").as_string()),
                testing::HasSubstr("`invalid_json`"));
    EXPECT_TRUE(bad.at("content").as_object().contains("application/problem+json"));
}

TEST(OpenApi, SaysThatAnOpenOperationNeedsNoToken)
{
    const auto document = described();
    EXPECT_TRUE(operation(document, "/things", "post").at("security").as_array().empty());
    for (const Route& row : all_routes()) {
        const auto whole = openapi({row}, {.version = "1"});
        std::string method = row.method;
        std::ranges::transform(method, method.begin(), [](char c) { return char(c | 0x20); });
        EXPECT_EQ(operation(whole, row.path, method).at("security").as_array().empty(), !row.access)
            << row.method << " " << row.path;
    }
}

TEST(OpenApi, KnowsEveryProblem)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto& examples = document.at("components").at("examples").as_object();
    for (const Problem& problem : problems()) {
        // These two occur only in OpenAI's format.
        if (problem.errc == Errc::run_cancelled || problem.errc == Errc::run_interrupted)
            EXPECT_FALSE(examples.contains(problem.code)) << "a linter would call it unused";
        else
            EXPECT_EQ(examples.at(problem.code).at("value").at("code").as_string(), problem.code);
    }
}

TEST(OpenApi, SaysWhereTheServerIsAndWhomToAsk)
{
    const auto contact = [](const char* text) {
        return openapi({}, {.version = "1", .contact = text}).at("info").at("contact").as_object();
    };
    EXPECT_EQ(contact("mailto:a@example.org").at("email"), "a@example.org");
    EXPECT_EQ(contact("a@example.org").at("email"), "a@example.org");
    EXPECT_EQ(contact("https://example.org").at("url"), "https://example.org");
    EXPECT_EQ(contact("Ana, room 5"), (object{{"name", "Ana, room 5"}}));
    EXPECT_EQ(openapi({}, {.version = "1"}).at("servers").at(0).at("url"), "/");
    EXPECT_EQ(
        openapi({}, {.version = "1", .public_url = "https://a"}).at("servers").at(0).at("url"),
        "https://a");
}

const object& schemas(const object& document)
{
    return document.at("components").at("schemas").as_object();
}

TEST(OpenApi, NamesOperationsAsTheirRowsSay)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    EXPECT_EQ(operation(document, "/v1/api/chat/sessions", "get").at("operationId"),
              "listSessions");
    EXPECT_EQ(operation(described(), "/things", "post").at("operationId"), "make");
}

TEST(OpenApi, PutsEveryOperationIntoAChapterWithAnIntroduction)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    std::set<std::string> introduced;
    for (const auto& tag : document.at("tags").as_array()) {
        introduced.emplace(tag.at("name").as_string());
        EXPECT_FALSE(tag.at("description").as_string().empty());
    }
    for (const auto& [path, methods] : document.at("paths").as_object())
        for (const auto& [method, about] : methods.as_object())
            EXPECT_TRUE(introduced.contains(std::string(about.at("tags").at(0).as_string())))
                << path;
}

TEST(OpenApi, DescribesEachTypeOfEvent)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto& content = operation(document, "/v1/api/chat/runs/{run}/events", "get")
                              .at("responses")
                              .at("200")
                              .at("content")
                              .as_object();
    ASSERT_EQ(content.size(), 1U);
    EXPECT_EQ(content.at("text/event-stream").at("schema").at("contentSchema").at("$ref"),
              "#/components/schemas/RunStreamEvent");
    const auto& events = schemas(document).at("RunStreamEvent");
    EXPECT_EQ(events.at("oneOf").as_array().size(), 7U);
    for (const auto& [type, place] : events.at("discriminator").at("mapping").as_object()) {
        const std::string name(place.as_string().subview(21));
        EXPECT_EQ(schemas(document).at(name).at("properties").at("type").at("enum").at(0), type);
    }
}

TEST(OpenApi, RefersToWhatHasAName)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto& run = schemas(document).at("ChatRun").at("properties");
    EXPECT_EQ(run.at("user_message").at("$ref"), "#/components/schemas/ChatMessage");
    EXPECT_EQ(run.at("user_message").at("description"), "The question.");
    EXPECT_EQ(run.at("message").at("oneOf").at(0).at("$ref"), "#/components/schemas/ChatMessage");
    EXPECT_EQ(run.at("message").at("oneOf").at(1).at("type"), "null");
    EXPECT_FALSE(schemas(document).at("ChatRun").as_object().contains("summary"));
}

TEST(OpenApi, TellsTheScopeAndTheLimitClass)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto& query = operation(document, "/v1/api/chat/query", "post");
    EXPECT_EQ(query.at("x-limit-class"), "chat");
    EXPECT_EQ(query.at("security").at(0).at("bearer").at(0), "chat:write");
    EXPECT_THAT(std::string(query.at("description").as_string()),
                testing::AllOf(testing::HasSubstr("scope `chat:write`"),
                               testing::HasSubstr("class `chat`")));
    EXPECT_TRUE(response(document, query, "429").at("headers").as_object().contains("Retry-After"));
}

bool has_field(const object& about, std::string_view name)
{
    return about.at("headers").as_object().contains(name);
}

TEST(OpenApi, TellsOfTheRunInEveryAnswerAboutOne)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    for (const char* path : {"/v1/api/chat/query", "/v1/chat/completions", "/v1/responses"}) {
        const auto& asked = operation(document, path, "post");
        for (const char* status : {"200", "500", "502", "503", "504"})
            for (const char* name : {"X-Run-Id", "Idempotency-Replayed"})
                EXPECT_TRUE(has_field(response(document, asked, status), name))
                    << path << " " << status << " " << name;
        for (const char* status : {"401", "403"})
            for (const char* name : {"X-Run-Id", "Idempotency-Replayed"})
                EXPECT_FALSE(has_field(response(document, asked, status), name)) << path;
    }
    for (const char* path : {"/v1/chat/completions", "/v1/responses"})
        for (const char* status : {"409", "502", "504"})
            EXPECT_TRUE(has_field(response(document, operation(document, path, "post"), status),
                                  "x-should-retry"))
                << path << " " << status;
}

TEST(OpenApi, TellsOfBadRequestsOnlyWhereTheyCanOccur)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    for (const char* path : {"/", "/healthz", "/readyz", "/docs", "/openapi.json"}) {
        const auto& responses = operation(document, path, "get").at("responses").as_object();
        EXPECT_FALSE(responses.contains("400")) << path;
        EXPECT_FALSE(responses.contains("422")) << path;
    }
    EXPECT_TRUE(
        operation(document, "/v1/api/me", "get").at("responses").as_object().contains("422"))
        << "an unknown parameter";
}

// Collects the places of `default` in a schema, also behind references.
class Defaults {
public:
    explicit Defaults(const object& document) : schemas_(schemas(document)) {}

    void look(const boost::json::value& schema, const std::string& at)
    {
        if (const auto* list = schema.if_array())
            for (const auto& each : *list) look(each, at);
        const auto* about = schema.if_object();
        if (!about) return;
        if (about->contains("default")) found.insert(at);
        if (const auto* place = about->if_contains("$ref")) follow(place->as_string());
        for (const auto& [keyword, value] : *about) {
            if (keyword == "properties")  // One of them is called `default`.
                for (const auto& [name, each] : value.as_object())
                    look(each, at + "." + std::string(name));
            else if (keyword != "examples" && keyword != "enum" && keyword != "const")
                look(value, at);
        }
    }

    std::set<std::string> found;
    std::set<std::string> seen;  // Named schemas.

private:
    void follow(std::string_view place)
    {
        const std::string name(place.substr(std::string_view("#/components/schemas/").size()));
        if (seen.insert(name).second) look(schemas_.at(name), name);
    }

    const object& schemas_;
};

TEST(OpenApi, TellsDefaultsOfRequestsInWords)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto description = [&](const char* schema, const char* name) {
        const auto& about = schemas(document).at(schema).at("properties").at(name);
        return std::string(about.at("description").as_string());
    };
    EXPECT_THAT(description("Query", "stream"), testing::HasSubstr("Default: `false`."));
    EXPECT_EQ(description("NewAutomation", "retry"),
              "Retries of failed attempts. Default: `{\"max_attempts\":3,\"backoff_s\":30}`.");

    // Generators of clients would require a field that has a default.
    Defaults defaults(document);
    for (const auto& [path, methods] : document.at("paths").as_object())
        for (const auto& [method, about] : methods.as_object())
            if (const auto* body = about.as_object().if_contains("requestBody"))
                for (const auto& [type, content] : body->at("content").as_object())
                    if (const auto* schema = content.as_object().if_contains("schema"))
                        defaults.look(*schema, std::string(path));
    EXPECT_THAT(defaults.found, testing::IsEmpty());
    for (const char* name : {"NewAutomation", "AutomationRetryInput", "AutomationVariableInput"})
        EXPECT_TRUE(defaults.seen.contains(name)) << name;
}

TEST(OpenApi, DescribesAResponseOfSeveralMediaTypesOnce)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    const auto& image = operation(document, "/v1/api/chat/images/{sha256}", "get");
    const object& found = response(document, image, "200");
    EXPECT_EQ(found.at("description").as_string(), "The image.");
    EXPECT_EQ(found.at("content").as_object().size(), 4U);
}

TEST(OpenApi, SharesTheResponsesOfProblems)
{
    const auto document = openapi(all_routes(), {.version = "1"});
    for (const auto& [path, methods] : document.at("paths").as_object())
        for (const auto& [method, about] : methods.as_object())
            for (const auto& [status, told] : about.at("responses").as_object())
                if (path == "/lbz")  // Its status is its whole answer.
                    EXPECT_FALSE(told.as_object().contains("content")) << status;
                else if (status[0] == '4' || status[0] == '5' || status == "default")
                    EXPECT_TRUE(told.as_object().contains("$ref")) << path << " " << status;
    EXPECT_LT(boost::json::serialize(document).size(), 600'000U);
}

}  // namespace
}  // namespace parley::reference
