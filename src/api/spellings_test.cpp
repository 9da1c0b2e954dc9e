// The real route table, called with other spellings of its paths: charge and access must not depend
// on the spelling.
#include "api/pipeline_for_tests.hpp"
#include "auth/hook_authenticator.hpp"
#include "base/random.hpp"
#include "limits/local/local_limiter.hpp"
#include "reference/routes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace parley::api {
namespace {

using Spellings = std::set<std::string>;

Task<Result<http::Response>> answer_nothing(Call& /*call*/) { co_return http::Response(); }

// The real rows with empty functions.
std::vector<Route> bare_table()
{
    auto table = reference::all_routes();
    for (Route& row : table) {
        row.needs.clear();
        row.call = answer_nothing;
        row.account = nullptr;
        row.replays = nullptr;
        row.request_schema.reset();
        if (row.method == "POST") row.request_schema.emplace();
    }
    return table;
}

// Accepts one token, which has all scopes.
class OpenAuthenticator final : public auth::Authenticator {
public:
    Ready<Result<auth::CallerRef>> identify(std::string_view token) override
    {
        using enum auth::Scope;
        if (token != "good") return auth::invalid_token();
        return std::make_shared<const auth::Caller>(
            auth::Caller{.user = "usr_1",
                         .actor = "ana",
                         .scopes = {auth_login, chat_read, chat_write, account, admin,
                                    automation_read, automation_write}});
    }
    Ready<Result<auth::CallerRef>> identify_again(const auth::CallerRef& caller) override
    {
        return caller;
    }
    Ready<bool> is_revoked(const auth::TokenHash& /*token*/) override { return false; }
};

// Accepts the same token, and as a signature.
class OpenHooks final : public auth::HookAuthenticator {
public:
    Task<Result<auth::CallerRef>> by_token(std::string /*hook*/, std::string token) override
    {
        if (token != "good") co_return auth::invalid_token();
        co_return caller();
    }
    Task<Result<auth::CallerRef>> by_signature(auth::SignedCall call) override
    {
        if (call.github_signature != "good")
            co_return Error{Errc::invalid_credentials, "The signature is wrong."};
        co_return caller();
    }
    static auth::CallerRef caller()
    {
        return std::make_shared<const auth::Caller>(auth::Caller{.user = "usr_1", .hook = "hok_1"});
    }
};

// "/v1/api/users/{id}" -> "/v1/api/users/x"
std::string example_of(std::string path)
{
    for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{'))
        path.replace(at, path.find('}') - at + 1, "x");
    return path;
}

void respell_letter(const std::string& path, std::size_t at, Spellings& out)
{
    const auto with = [&](const std::string& text) {
        out.insert(path.substr(0, at) + text + path.substr(at + 1));
    };
    const auto byte = static_cast<unsigned char>(path[at]);
    with(fmt::format("%{:02x}", byte));
    with(fmt::format("%{:02X}", byte));
    with(fmt::format("%25{:02X}", byte));  // Escaped twice.
    with(fmt::format("%u00{:02X}", byte));
    if (std::isalpha(byte)) with(std::string(1, static_cast<char>(byte ^ 0x20U)));
}

void respell_slash(const std::string& path, std::size_t at, Spellings& out)
{
    for (const char* text : {"//", "/./", "/../", "/%2e/", "/%2E%2e/", "/x/../", ";/", ";a=b/",
                             "%00/", "/%00", "%2F", "%2f", "%5C", "\\", "/%20", "%20/", "%09/"})
        out.insert(path.substr(0, at) + text + path.substr(at + 1));
}

Spellings spellings_of(const std::string& path)
{
    Spellings out{path + "/",   path + "//", path + ";",   path + ";x",  path + "%00",
                  path + "%2F", path + "/.", path + "/..", path + "%20", path + "%"};
    std::string all_escaped;
    for (std::size_t at = 0; at < path.size(); ++at) {
        (path[at] == '/' ? respell_slash : respell_letter)(path, at, out);
        all_escaped += path[at] == '/' ? "/" : fmt::format("%{:02x}", path[at]);
    }
    out.insert(all_escaped);
    out.erase(path);
    return out;
}

class SpellingsTest : public testing::Test {
protected:
    SpellingsTest()
        : folder(std::filesystem::path(testing::TempDir()) / random_base62(16)),
          limiter((std::filesystem::create_directory(folder),
                   limits::local::LocalLimiter::open(
                       {.file = folder / "limits", .users = 16, .addresses = 16, .clock = &clock}))
                      .value())
    {
    }
    ~SpellingsTest() override { std::filesystem::remove_all(folder); }

    // The status and the class that was charged: "200 chat", "404 (none)".
    std::string ask(const Route& row, const std::string& path, const char* token)
    {
        clock.advance(std::chrono::minutes(1));  // No earlier request counts any more.
        std::vector<std::string> fields;
        if (token) {
            fields.emplace_back(std::string("Authorization: Bearer ") + token);
            fields.emplace_back(std::string("X-Hub-Signature-256: ") + token);
        }
        fields.emplace_back("Content-Type: application/json");
        const auto response =
            tested.ask(row.method, path, fields, row.method == "POST" ? "{}" : "");
        const std::string policy = field_of(response, "RateLimit-Policy");
        return std::to_string(response.status) + " " + policy.substr(0, policy.find(';'));
    }

    ManualClock clock;
    std::filesystem::path folder;
    std::unique_ptr<limits::Limiter> limiter;
    OpenAuthenticator authenticator;
    OpenHooks hooks;
    TestedPipeline tested{
        bare_table(),
        {.authenticator = &authenticator, .hook_authenticator = &hooks, .limiter = limiter.get()}};
};

TEST_F(SpellingsTest, CostTheSameAndNeedTheSameToken)
{
    // 405: x%2Fcancel is a valid id.
    const std::set<std::string> nothing{"404 (none)", "400 (none)", "404 \"general\"",
                                        "400 \"general\"", "405 \"general\""};
    const std::set<std::string> closed{"404 (none)", "400 (none)", "401 \"general\""};
    std::size_t asked = 0;
    for (const Route& row : reference::all_routes()) {
        const std::string path = example_of(row.path);
        const std::string with_token = ask(row, path, "good");
        const std::string without = ask(row, path, nullptr);
        ASSERT_TRUE(with_token.starts_with("200 ")) << row.path << ": " << with_token;
        if (row.access) ASSERT_EQ(without, "401 \"general\"") << row.path;
        for (const std::string& spelling : spellings_of(path)) {
            const std::string got = ask(row, spelling, "good");
            EXPECT_TRUE(got == with_token || nothing.contains(got)) << spelling << ": " << got;
            const std::string open = ask(row, spelling, nullptr);
            EXPECT_TRUE(open == without || closed.contains(open)) << spelling << ": " << open;
            ++asked;
        }
    }
    EXPECT_GT(asked, 5000U);
}

TEST_F(SpellingsTest, HaveTheSameShapeOfErrors)
{
    const auto shape = [&](const char* path) {
        return field_of(tested.ask("GET", path, {"Authorization: Bearer good"}), "Content-Type");
    };
    for (const char* path : {"/v1/nothing", "/v1", "/v1/", "/%76%31/nothing", "/v1/embeddings",
                             "/v1/models/x/y", "/v1/apis", "/v1/%zz"})
        EXPECT_EQ(shape(path), "application/json") << path;
    for (const char* path : {"/v1/api", "/v1/api/nothing", "/v1/%61pi/nothing", "/nothing",
                             "/v1%2Fnothing", "/V1/nothing", "//v1/nothing"})
        EXPECT_EQ(shape(path), "application/problem+json") << path;
}

}  // namespace
}  // namespace parley::api
