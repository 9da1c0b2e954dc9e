#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <optional>

namespace parley::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct Shelf {
    std::vector<std::string> titles;
};

struct ShelfPath {
    std::int64_t shelf = 0;

    static constexpr auto fields()
    {
        return std::tuple(
            fields::field("shelf", &ShelfPath::shelf, "Which shelf.", fields::range(1, 9)));
    }
};

struct Paging {
    std::optional<std::int64_t> limit;

    static constexpr auto fields()
    {
        return std::tuple(
            fields::field("limit", &Paging::limit, "How many at most.", fields::range(1, 100)));
    }
};

struct Book {
    std::string title;
    std::optional<std::int64_t> pages;

    static constexpr auto fields()
    {
        return std::tuple(
            fields::field("title", &Book::title, "What stands on it.", fields::length(1, 20)),
            fields::field("pages", &Book::pages, "How many.", fields::range(1, 10000)));
    }
};

Task<Result<Created<Book>>> add_book(Shelf& shelf, Path<ShelfPath> path, Query<Paging> /*paging*/,
                                     Body<Book> book)
{
    shelf.titles.push_back(book.title);
    co_return Created<Book>{std::move(book), "/shelves/" + std::to_string(path.shelf)};
}

Result<Book> last_book(const Shelf& shelf)
{
    if (shelf.titles.empty()) return not_found("A book");
    return Book{shelf.titles.back(), std::nullopt};
}

Task<Result<>> clear_shelf(Shelf& shelf)
{
    shelf.titles.clear();
    co_return Result<>();
}

Result<http::Response> teapot(const http::RequestHead& head)
{
    http::Response response{.status = 418, .fields = {}, .body = std::string(head.path)};
    response.fields.add("Content-Type", "text/plain");
    return response;
}

Result<Book> tolerant(Body<Book> book) { return Book{book.title, book.pages}; }

Task<Result<>> count_to_two(Stream stream)
{
    auto* events = co_await stream.open();
    if (!events) co_return Result<>();
    co_await events->send(std::make_shared<std::string>("one"));
    co_await events->send(std::make_shared<std::string>("two"));
    co_return Result<>();
}

Task<Result<>> break_off(Stream stream)
{
    (co_await stream.open())->offer(std::make_shared<std::string>("one"));
    co_return Error{Errc::internal, "", "the wire broke"};
}

Task<Result<>> never_begin(Stream stream)
{
    co_await stream.open();
    co_return Error{Errc::overloaded, "later"};
}

std::vector<Route> tested_routes()
{
    return {
        route<add_book>("POST", "/v1/api/shelves/{shelf}/books", "addBook", "Add a book", open),
        route<last_book>("GET", "/v1/api/last", "lastBook", "The newest book", open),
        route<clear_shelf>("DELETE", "/books", "clearShelf", "Clear all", open),
        route<teapot>("GET", "/teapot", "teapot", "Short and stout", open),
        route<tolerant>("POST", "/tolerant", "tolerant", "Takes more", open, lenient),
        route<count_to_two>("GET", "/count", "countToTwo", "Counts", open),
        route<break_off>("GET", "/break", "breakOff", "Breaks off", open),
        route<never_begin>("GET", "/never", "neverBegin", "Fails before its first event", open),
    };
}

class EndpointTest : public testing::Test {
protected:
    Shelf shelf;
    TestedPipeline tested{tested_routes(), [this](Services& services) { services.add(shelf); }};

    std::vector<std::string> faults(const http::Response& response)
    {
        EXPECT_EQ(response.status, 422) << response.body;
        std::vector<std::string> found;
        const auto body = json_of(response);
        for (const auto& entry : body.at("errors").as_array()) {
            const auto& fault = entry.as_object();
            const char* place = fault.contains("pointer") ? "pointer" : "parameter";
            found.push_back(std::string(fault.at(place).as_string()) + " " +
                            std::string(fault.at("code").as_string()));
        }
        return found;
    }
};

TEST_F(EndpointTest, GetsPathQueryBodyAndServices)
{
    const auto response =
        tested.post_json("/v1/api/shelves/7/books?limit=5", R"({"title":"Emma"})");
    EXPECT_EQ(response.status, 201);
    EXPECT_EQ(field_of(response, "Location"), "/shelves/7");
    EXPECT_EQ(field_of(response, "Content-Type"), "application/json");
    EXPECT_EQ(response.body, R"({"title":"Emma","pages":null})");
    EXPECT_THAT(shelf.titles, ElementsAre("Emma"));
}

TEST_F(EndpointTest, AnswersByTheKindOfItsResult)
{
    EXPECT_EQ(tested.ask("GET", "/v1/api/last").status, 404);
    shelf.titles = {"Emma"};
    EXPECT_EQ(tested.ask("GET", "/v1/api/last").status, 200);
    const auto cleared = tested.ask("DELETE", "/books");
    EXPECT_EQ(cleared.status, 204);
    EXPECT_THAT(cleared.body, IsEmpty());
    EXPECT_EQ(cleared.fields.get("Content-Type"), std::nullopt);
    const auto own = tested.ask("GET", "/teapot");
    EXPECT_EQ(own.status, 418);
    EXPECT_EQ(own.body, "/teapot");
    EXPECT_EQ(field_of(own, "Content-Type"), "text/plain");
}

TEST_F(EndpointTest, HearsOfAllFaultsAtOnce)
{
    const auto response = tested.post_json("/v1/api/shelves/10/books?limit=x&lmit=1",
                                           R"({"title":"","pages":"many","author":1})");
    EXPECT_THAT(
        faults(response),
        UnorderedElementsAre("shelf out_of_range", "limit wrong_type", "lmit unknown_parameter",
                             "#/title too_short", "#/pages wrong_type", "#/author unknown_field"));
    EXPECT_THAT(shelf.titles, IsEmpty());
}

TEST_F(EndpointTest, RefusesBodiesThatBreakItsRules)
{
    const auto body = [&](std::string text) {
        return faults(tested.post_json("/v1/api/shelves/1/books", std::move(text)));
    };
    EXPECT_THAT(body("{}"), ElementsAre("#/title required"));
    EXPECT_THAT(body(R"({"title":null})"), testing::SizeIs(1));
    EXPECT_THAT(body(R"({"title":7})"), ElementsAre("#/title wrong_type"));
    EXPECT_THAT(body(R"({"title":"a","pages":-1})"), ElementsAre("#/pages out_of_range"));
    EXPECT_THAT(body(R"({"title":"a","pages":1.5})"), ElementsAre("#/pages wrong_type"));
    EXPECT_THAT(body(R"({"title":"a","pages":9223372036854775808})"), testing::SizeIs(1));
    EXPECT_THAT(body(R"({"title":"a","pages":1e300})"), testing::SizeIs(1));
    EXPECT_THAT(body(R"(["title"])"), ElementsAre("# wrong_type"));
    EXPECT_THAT(body("null"), ElementsAre("# wrong_type"));
    EXPECT_THAT(shelf.titles, IsEmpty());
}

TEST_F(EndpointTest, WithoutAQueryTakesNoParameters)
{
    EXPECT_THAT(faults(tested.ask("GET", "/v1/api/last?a=1&b=2")),
                ElementsAre("a unknown_parameter", "b unknown_parameter"));
    EXPECT_EQ(tested.ask("GET", "/teapot?").status, 418);
}

TEST_F(EndpointTest, ThatIsLenientIgnoresWhatItDoesNotKnow)
{
    const auto response = tested.post_json("/tolerant?x=1", R"({"title":"a","more":1})");
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_THAT(faults(tested.post_json("/tolerant", R"({"title":1,"more":1})")),
                ElementsAre("#/title wrong_type"));
}

TEST_F(EndpointTest, LetsGoOfTheBodyOnceItWasRead)
{
    const std::vector<std::string> json{"Content-Type: application/json"};
    RecordedExchange good("POST", "/tolerant", json, R"({"title":"a","more":"and more"})");
    EXPECT_EQ(tested.serve(good).status, 200);
    EXPECT_TRUE(good.body_was_read);
    EXPECT_EQ(good.body_share, 0U);
}

TEST_F(EndpointTest, CanAnswerWithAStream)
{
    RecordedExchange exchange("GET", "/count", {"X-Request-Id: mine"});
    tested.serve(exchange);
    EXPECT_THAT(exchange.events.frames, ElementsAre("one", "two"));
    EXPECT_FALSE(exchange.events.was_cut);
    ASSERT_TRUE(exchange.stream_head);
    EXPECT_EQ(field_of(*exchange.stream_head, "Content-Type"), "text/event-stream; charset=utf-8");
    EXPECT_EQ(field_of(*exchange.stream_head, "Cache-Control"), "no-store, no-transform");
    EXPECT_EQ(field_of(*exchange.stream_head, "X-Accel-Buffering"), "no");
    EXPECT_EQ(field_of(*exchange.stream_head, "X-Request-Id"), "mine");
}

TEST_F(EndpointTest, ThatFailsInMidStreamCutsIt)
{
    RecordedExchange exchange("GET", "/break");
    tested.serve(exchange);
    EXPECT_THAT(exchange.events.frames, ElementsAre("one"));
    EXPECT_TRUE(exchange.events.was_cut);
    EXPECT_EQ(tested.log.lines("request failed").at(0).at("detail"), "the wire broke");
}

TEST_F(EndpointTest, ThatFailsBeforeItsFirstEventAnswersWithTheProblem)
{
    RecordedExchange exchange("GET", "/never");
    EXPECT_EQ(tested.serve(exchange).status, 503);
    EXPECT_FALSE(exchange.events.was_cut);
    EXPECT_EQ(tested.log.lines("request served").at(0).at("status"), 503);
}

TEST_F(EndpointTest, GivesHeadTheHeadOfItsStream)
{
    RecordedExchange exchange("HEAD", "/count");
    const auto response = tested.serve(exchange);
    EXPECT_FALSE(exchange.stream_head);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(field_of(response, "Content-Type"), "text/event-stream; charset=utf-8");
    EXPECT_EQ(field_of(response, "Cache-Control"), "no-store, no-transform");
}

TEST(Route, DescribesItsEndpoint)
{
    const Route row = tested_routes().front();
    EXPECT_EQ(row.success_status, 201);
    EXPECT_TRUE(row.path_schema->at("properties").as_object().contains("shelf"));
    EXPECT_TRUE(row.query_schema->at("properties").as_object().contains("limit"));
    EXPECT_TRUE(row.request_schema->at("properties").as_object().contains("title"));
    EXPECT_TRUE(row.response_schema->at("properties").as_object().contains("pages"));
    ASSERT_EQ(row.needs.size(), 1U);
    EXPECT_TRUE(row.needs[0].same_type(ServiceKey::of<Shelf>()));
}

TEST(Route, RefusesAPathWithOtherParametersThanItsEndpoint)
{
    EXPECT_THROW(route<add_book>("POST", "/books", "addBook", "", open), std::logic_error);
    EXPECT_THROW(route<add_book>("POST", "/{shelf}/{book}", "addBook", "", open), std::logic_error);
    EXPECT_THROW(route<last_book>("GET", "/{shelf}", "lastBook", "", open), std::logic_error);
    EXPECT_THROW(route<add_book>("POST", "/{shelf", "addBook", "", open), std::logic_error);
}

TEST(Route, NeedsItsServicesWhenThePipelineIsBuilt)
{
    try {
        const TestedPipeline tested(tested_routes());
        FAIL() << "nobody noticed";
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("Shelf"));
        EXPECT_THAT(error.what(), testing::HasSubstr("POST /v1/api/shelves/{shelf}/books"));
    }
}

}  // namespace
}  // namespace parley::api
