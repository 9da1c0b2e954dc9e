#include "api/api.hpp"
#include "api/import_places.hpp"
#include "api/import_reader.hpp"
#include "api/pipeline_for_tests.hpp"
#include "base/id.hpp"
#include "engine/models.hpp"
#include "store/moving.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

class OneUser final : public auth::Authenticator {
public:
    explicit OneUser(std::string user) : user_(std::move(user)) {}

    Ready<Result<auth::CallerRef>> identify(std::string_view /*token*/) override
    {
        return std::make_shared<const auth::Caller>(
            auth::Caller{.user = user_, .scopes = {auth::Scope::chat_write}});
    }
    Ready<Result<auth::CallerRef>> identify_again(const auth::CallerRef& caller) override
    {
        return caller;
    }
    Ready<bool> is_revoked(const auth::TokenHash& /*token*/) override { return false; }

private:
    const std::string user_;
};

class ImportTest : public testing::Test {
protected:
    ImportTest()
    {
        EXPECT_TRUE(block_on(store->accounts().add_user({.id = user,
                                                         .username = "ana",
                                                         .name_key = "ana",
                                                         .display_name = "Ana",
                                                         .created_at = now})));
    }

    // An import by an earlier version, whose text of the source was this one.
    std::string imported_before(std::string_view source)
    {
        store::NewImport import{.format = "open_webui",
                                .source = sha256(source),
                                .session = {.id = new_id("ses", now),
                                            .owner = {user},
                                            .title = "T",
                                            .title_key = "t",
                                            .created_at = now,
                                            .updated_at = now},
                                .newest = 0,
                                .now = now};
        import.messages.push_back(
            {.message = {.id = new_id("msg", now), .parts = {"Hi"}, .created_at = now}});
        return block_on(store->moving().import_session(std::move(import))).value().session;
    }
    // A conversation of two messages; `fields` are those of the conversation.
    http::Response import(const std::string& fields)
    {
        return tested.ask("POST", "/v1/api/import",
                          {"Authorization: Bearer t", "Content-Type: application/json"},
                          R"({"format":"open_webui","conversation":{)" + fields +
                              R"("messages":[{"id":"m1","role":"user","content":"Hi"},)" +
                              R"({"id":"m2","role":"assistant","content":"Hello"}]}})");
    }
    static std::string session_in(const http::Response& response)
    {
        return boost::json::value_to<std::string>(json_of(response).at("session_id"));
    }

    ManualClock clock;
    const TimePoint now = clock.now();
    const std::string user = new_id("usr", now);
    std::unique_ptr<store::Store> store = store::make_memory_store();
    OneUser authenticator{user};
    engine::Models models;
    ImportReader reader;
    ImportPlaces places;
    TestedPipeline tested{import_routes(),
                          [this](Services& services) {
                              services.add(*store);
                              services.add(std::as_const(models));
                              services.add(reader);
                              services.add(places);
                              services.add<const Clock>(clock);
                          },
                          {.authenticator = &authenticator}};
};

TEST_F(ImportTest, OnlySoManyAreAtTheSameTime)
{
    std::vector<std::shared_ptr<void>> taken;
    for (std::size_t i = 0; i < ImportPlaces::most_of_user; ++i)
        taken.push_back(places.take(user).value());
    EXPECT_EQ(import("").status, 503) << "of one user";
    while (taken.size() < ImportPlaces::most)
        taken.push_back(places.take("another" + std::to_string(taken.size())).value());
    taken.front().reset();
    EXPECT_EQ(import("").status, 201);
    taken.front() = places.take("another").value();
    EXPECT_EQ(import("").status, 503) << "of all users";
}

// After an upgrade, too.
TEST_F(ImportTest, KnowsWhatAnEarlierVersionHasImported)
{
    const std::string messages = "2:m10:4:user0:2:Hi2:m21:09:assistant0:5:Hello";
    const std::string with_id = imported_before("2:c1" + messages);
    for (const char* title : {R"("title":"T",)", R"("title":"Another",)", ""}) {
        const auto again = import(std::string(R"("id":"c1",)") + title);
        EXPECT_EQ(again.status, 200) << again.body;
        EXPECT_EQ(session_in(again), with_id);
    }
    const std::string without = imported_before("0:" + messages);
    const auto again = import("");
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(session_in(again), without);
}

TEST_F(ImportTest, TellsConversationsWithoutIdsApartByTheirTitles)
{
    const auto one = import(R"("title":"One",)");
    EXPECT_EQ(one.status, 201) << one.body;
    const auto other = import(R"("title":"Other",)");
    EXPECT_EQ(other.status, 201);
    EXPECT_NE(session_in(other), session_in(one));
    const auto again = import(R"("title":"One",)");
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(session_in(again), session_in(one));
    EXPECT_EQ(field_of(again, "Idempotency-Replayed"), "true");
}

}  // namespace
}  // namespace parley::api
