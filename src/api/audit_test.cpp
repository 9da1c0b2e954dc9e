#include "api/api.hpp"
#include "api/backups.hpp"
#include "api/cursor.hpp"
#include "api/pipeline_for_tests.hpp"
#include "auth/token_authenticator.hpp"
#include "base/trusted_time.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

#include <set>

namespace parley::api {
namespace {

class AuditTest : public testing::Test {
protected:
    std::vector<std::string> token() const
    {
        return {"Authorization: Bearer " + std::string(authenticator.command_line_token().reveal()),
                "Content-Type: application/json", "X-Request-Id: req-7"};
    }
    http::Response note(const std::string& text)
    {
        return tested.ask("POST", "/v1/api/audit", token(),
                          boost::json::serialize(boost::json::object{{"note", text}}));
    }
    http::Response get(const std::string& target) { return tested.ask("GET", target, token()); }

    std::unique_ptr<store::Store> store = store::make_memory_store();
    Cursors cursors{Secret(std::string(32, 'k'))};
    ManualClock clock;
    TrustedTime time{clock, "boot"};
    auth::TokenAuthenticator authenticator{store->tokens(), time};
    TestedPipeline tested{audit_routes(),
                          [this](Services& services) {
                              services.add(*store);
                              services.add(cursors);
                              services.add(std::as_const(time));
                          },
                          {.authenticator = &authenticator}};
};

TEST_F(AuditTest, KeepsANoteWithWhoWhenAndWhere)
{
    const auto response = note("Upgraded");
    EXPECT_EQ(response.status, 201);
    const auto event = json_of(response);
    const std::string id = boost::json::value_to<std::string>(event.at("id"));
    EXPECT_TRUE(id.starts_with("evt_"));
    EXPECT_EQ(field_of(response, "Location"), "/v1/api/audit/" + id);
    EXPECT_EQ(response.body,
              R"({"object":"audit.event","id":")" + id +
                  R"(","at":"2026-01-31T09:30:00.000Z","actor":"command line","action":"note",)"
                  R"("target":"Upgraded","address":"192.0.2.7","request_id":"req-7"})");
    EXPECT_EQ(get("/v1/api/audit/" + id).body, response.body);
    EXPECT_EQ(get("/v1/api/audit/evt_other").status, 404);
}

TEST_F(AuditTest, ListsNewestFirstPageByPageWithLinks)
{
    for (int i = 0; i < 5; ++i) note(std::to_string(i));
    std::string seen;
    std::string target = "/v1/api/audit?limit=2";
    while (true) {
        const auto response = get(target);
        ASSERT_EQ(response.status, 200);
        const auto list = json_of(response);
        EXPECT_EQ(list.at("object"), "list");
        for (const auto& event : list.at("data").as_array())
            seen += event.at("target").as_string().c_str();
        if (!list.at("has_more").as_bool()) {
            EXPECT_TRUE(list.at("next_cursor").is_null());
            EXPECT_EQ(field_of(response, "Link"), "(none)");
            break;
        }
        const auto cursor = boost::json::value_to<std::string>(list.at("next_cursor"));
        target = "/v1/api/audit?limit=2&after=" + cursor;
        EXPECT_EQ(field_of(response, "Link"), "<" + target + ">; rel=\"next\"");
    }
    EXPECT_EQ(seen, "43210");
}

TEST_F(AuditTest, RefusesCursorsThatItDidNotMake)
{
    for (const std::string& cursor :
         {std::string("42"), std::string("AAAA"), cursors.seal("sessions", "2")}) {
        const auto response = get("/v1/api/audit?after=" + cursor);
        EXPECT_EQ(response.status, 400) << cursor;
        EXPECT_EQ(code_of(response), "invalid_cursor") << cursor;
    }
    EXPECT_EQ(get("/v1/api/audit?limit=0").status, 422);
    EXPECT_EQ(get("/v1/api/audit?limit=101").status, 422);
    EXPECT_EQ(get("/v1/api/audit?before=1").status, 422);
}

TEST_F(AuditTest, RefusesANoteThatIsNone)
{
    EXPECT_EQ(note("").status, 422);
    EXPECT_EQ(note(std::string(1001, 'x')).status, 422);
    EXPECT_EQ(note(std::string(1000, 'x')).status, 201);
    EXPECT_EQ(tested.ask("POST", "/v1/api/audit", token(), R"({"note":"x","actor":"me"})").status,
              422);
    EXPECT_EQ(json_of(get("/v1/api/audit")).at("data").as_array().size(), 1U);
}

TEST_F(AuditTest, IsForOperatorsAlone)
{
    EXPECT_EQ(tested.ask("GET", "/v1/api/audit").status, 401);
    for (const auto& row : audit_routes()) EXPECT_EQ(row.access.value().scope, auth::Scope::admin);
    for (const auto& row : backup_routes()) EXPECT_EQ(row.access.value().scope, auth::Scope::admin);
}

}  // namespace
}  // namespace parley::api
