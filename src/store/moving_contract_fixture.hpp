// The fixture of the contract tests of import, export and retention.
#pragma once

#include "store/chat_contract_fixture.hpp"
#include "store/moving.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

// Records what is exported.
class RecordedExport : public ExportSink {
public:
    void begin() override
    {
        lines.clear();
        sessions.clear();
        messages.clear();
    }
    void user(const User& user) override { lines.push_back("user " + user.username); }
    void session(const Session& session) override
    {
        lines.push_back("session " + session.title);
        sessions.push_back(session);
    }
    void message(const Message& message) override
    {
        lines.push_back("message " + message.parts.at(0));
        messages.push_back(message);
    }
    void image(const Image& image) override { lines.push_back("image " + image.bytes); }
    void automation(const Automation& automation) override
    {
        lines.push_back("automation " + automation.name);
    }
    void webhook(const Webhook& webhook) override { lines.push_back("webhook " + webhook.url); }
    bool is_full() const override { return lines.size() >= most; }

    std::size_t most = 100'000;
    std::vector<std::string> lines;
    std::vector<Session> sessions;
    std::vector<Message> messages;
};

class MovingContract : public ChatContractTest {
protected:
    // A chain of so many messages.
    NewImport new_import(const Owner& owner, std::size_t messages, unsigned char source = 1)
    {
        NewImport import{.format = "chatgpt",
                         .session = new_session(owner, "Moved"),
                         .now = clock.now(),
                         .cause = {.request = "req_1"}};
        import.source[31] = source;
        for (std::size_t i = 0; i < messages; ++i) {
            const TimePoint at = later();
            ImportedMessage each{
                .message = {.id = new_id("msg", at),
                            .speaker = i % 2 == 0 ? Speaker::user : Speaker::assistant,
                            .parts = {"text " + std::to_string(i)},
                            .created_at = at - 24h * 365}};
            if (i > 0) each.parent = i - 1;
            import.messages.push_back(std::move(each));
        }
        if (messages > 0) import.newest = messages - 1;
        return import;
    }
    Result<StoredImport> imported(NewImport import)
    {
        return block_on(store->moving().import_session(std::move(import)));
    }
    RecordedExport exported(const Owner& owner, const std::optional<std::string>& session = {})
    {
        auto sink = std::make_shared<RecordedExport>();
        EXPECT_TRUE(block_on(store->moving().export_data(owner, session, sink)));
        return *sink;
    }
    Errc export_error(const Owner& owner, const std::optional<std::string>& session)
    {
        auto sink = std::make_shared<RecordedExport>();
        return block_on(store->moving().export_data(owner, session, sink)).error().code;
    }
    std::vector<std::string> branch(const Owner& owner, const std::string& session,
                                    std::optional<std::string> leaf = {})
    {
        std::vector<std::string> texts;
        const auto read =
            block_on(messages().list_branch(owner, session, std::move(leaf), true, {}, 10'000));
        for (const PlacedMessage& each : read.value().page.items)
            texts.push_back(each.message.parts.at(0));
        return texts;
    }
    std::vector<std::string> idle_after(std::chrono::hours time,
                                        std::optional<std::int64_t> max_days = {})
    {
        std::vector<std::string> found;
        const auto idle =
            block_on(sessions().idle_sessions(clock.now() + time, max_days, 100)).value();
        for (const IdleSession& each : idle) found.push_back(each.id);
        std::ranges::sort(found);
        return found;
    }
    void set_retention(const User& user, std::optional<std::int64_t> days)
    {
        ASSERT_TRUE(block_on(accounts().change_user(user.id, {.retention_days = days})));
    }
};

}  // namespace parley::store
