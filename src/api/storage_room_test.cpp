// A disk that is nearly full: the rows that are refused then, and the responses.
#include "api/pipeline_for_tests.hpp"
#include "reference/routes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace parley::api {
namespace {

using Rows = std::set<std::string>;

// Rows by which users add data.
const Rows refused{
    "PATCH /v1/api/automations/{automation}",
    "PATCH /v1/api/chat/sessions/{session}",
    "PATCH /v1/api/me",
    "PATCH /v1/api/tokens/{token}",
    "POST /v1/api/automation_runs/{run}/retry",
    "POST /v1/api/automations",
    "POST /v1/api/automations/{automation}/runs",
    "POST /v1/api/chat/sessions",
    "POST /v1/api/import",
    "GET /v1/api/export",  // Writes a file of all that is exported.
    "POST /v1/api/tokens",
    "PUT /v1/api/test_clock",
    "POST /hooks/{hook}",
    "POST /v1/api/automations/{automation}/hook/rotate",
    "POST /v1/api/hooks/{hook}",
    "PATCH /v1/api/webhooks/{webhook}",
    "POST /v1/api/webhooks",
    "POST /v1/api/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    "POST /v1/api/webhooks/{webhook}/replay",
    "POST /v1/api/webhooks/{webhook}/rotate",
    "POST /v1/api/webhooks/{webhook}/test",
};

// The chat service refuses these, because replays and unstored answers must still work.
const Rows refused_by_the_rules{"POST /v1/api/chat/query", "POST /v1/chat/completions",
                                "POST /v1/responses"};

// Logins, cancellation and revocation stay possible: they add little data. Embeddings are not
// stored.
const Rows safe{
    "POST /v1/api/auth/accept",
    "POST /v1/api/auth/login",
    "POST /v1/api/auth/logout",
    "POST /v1/api/auth/oidc/begin",
    "POST /v1/api/auth/oidc/callback",
    "POST /v1/api/auth/refresh",
    "POST /v1/api/auth/reset",
    "POST /v1/api/auth/setup",
    "PUT /v1/api/me/password",
    "POST /v1/api/me/totp",
    "POST /v1/api/me/totp/confirm",
    "POST /v1/api/me/totp/disable",
    "POST /v1/api/me/totp/recovery-codes",
    "POST /v1/api/automation_runs/{run}/cancel",
    "POST /v1/api/automations/preview",
    "POST /v1/api/chat/runs/{run}/cancel",
    "POST /v1/embeddings",
    "POST /v1/responses/{response}/cancel",
};

// Operators free space with these, and make backups.
const Rows of_operators{
    "PATCH /v1/api/users/{user}",
    "POST /v1/api/audit",
    "POST /v1/api/backups",
    "POST /v1/api/client-tokens",
    "POST /v1/api/users",
    "POST /v1/api/users/{user}/invite",
    "POST /v1/api/users/{user}/tokens",
    "POST /v1/api/users/{user}/reset-link",
};

TEST(StorageRoom, EveryRowThatWritesIsRefusedOrHasAReason)
{
    Rows found;
    for (const Route& row : reference::all_routes()) {
        const std::string name = row.method + " " + row.path;
        EXPECT_EQ(row.needs_room, refused.contains(name)) << name;
        const bool only_reads = row.method == "GET" || row.method == "DELETE";
        if (only_reads && !refused.contains(name)) continue;
        const bool is_known = refused.contains(name) || refused_by_the_rules.contains(name) ||
                              safe.contains(name) || of_operators.contains(name);
        EXPECT_TRUE(is_known) << name << ": may its caller add to a disk that is nearly full?";
        if (of_operators.contains(name)) EXPECT_EQ(row.access->scope, auth::Scope::admin) << name;
        found.insert(name);
    }
    EXPECT_EQ(found.size(),
              refused.size() + refused_by_the_rules.size() + safe.size() + of_operators.size())
        << "a row of these tables is gone";
}

struct StoredNote {
    std::string text;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("text", &StoredNote::text, "What it says."));
    }
};
Result<StoredNote> add(Body<StoredNote> note) { return StoredNote{note.text}; }
Result<StoredNote> change(Body<StoredNote> note) { return StoredNote{note.text}; }

TEST(StorageRoom, IsLookedForBeforeTheBodyIsRead)
{
    Readiness readiness;
    bool has_room = true;
    readiness.depend_on_room([&]() -> Result<> {
        if (has_room) return {};
        return Error{.code = Errc::storage_unavailable,
                     .message = "nearly full",
                     .retry_after = std::chrono::seconds(30)};
    });
    TestedPipeline tested({route<add>("POST", "/v1/notes", "add", "", open, needs_room),
                           route<change>("PATCH", "/v1/notes", "change", "", open)},
                          {.readiness = &readiness});
    const auto ask = [&](const char* method) {
        RecordedExchange exchange(method, "/v1/notes", {"Content-Type: application/json"},
                                  R"({"text":"a"})");
        auto response = tested.serve(exchange);
        EXPECT_EQ(exchange.body_was_read, response.status == 200);
        return response;
    };
    EXPECT_EQ(ask("POST").status, 200);
    has_room = false;
    const auto told = ask("POST");
    EXPECT_EQ(told.status, 503);
    EXPECT_EQ(code_of(told), "storage_unavailable");
    EXPECT_EQ(field_of(told, "Retry-After"), "30");
    EXPECT_EQ(ask("PATCH").status, 200);
    readiness.end_start();
    EXPECT_EQ(readiness.check().error().code, Errc::storage_unavailable);
}

}  // namespace
}  // namespace parley::api
