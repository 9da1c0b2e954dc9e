// A session with many messages is deleted in parts, and nothing of it is found meanwhile, also if a
// crash comes between two parts.
#include "search/query.hpp"
#include "store/chat_contract_fixture.hpp"
#include "store/moving.hpp"
#include "store/sqlite/counted_store_for_tests.hpp"
#include "store/sqlite/database.hpp"

#include <string>
#include <vector>

namespace parley::store::sqlite {
namespace {

struct CountingSink final : ExportSink {
    int sessions = 0;
    int messages = 0;

    void begin() override {}
    void user(const User& /*user*/) override {}
    void session(const Session& /*session*/) override { ++sessions; }
    void message(const Message& /*message*/) override { ++messages; }
    void image(const Image& /*image*/) override {}
    void automation(const Automation& /*automation*/) override {}
    void webhook(const Webhook& /*webhook*/) override {}
    bool is_full() const override { return false; }
};

class SessionRemovalTest : public ChatContractTest {
protected:
    SessionRemovalTest() : ChatContractTest(std::make_unique<CountedStore>()) {}

    CountedStore& counted() { return dynamic_cast<CountedStore&>(*trial); }

    Session imported(std::size_t count)
    {
        NewImport import{
            .format = "chatgpt", .session = new_session(anas, "Moved"), .now = clock.now()};
        for (std::size_t i = 0; i < count; ++i) {
            const TimePoint at = later();
            ImportedMessage each{
                .message = {.id = new_id("msg", at),
                            .speaker = i % 2 == 0 ? Speaker::user : Speaker::assistant,
                            .parts = {"text " + std::to_string(i)},
                            .created_at = at}};
            if (i > 0) each.parent = i - 1;
            import.messages.push_back(std::move(each));
        }
        import.newest = count - 1;
        const Session session = import.session;
        const auto stored = block_on(store->moving().import_session(std::move(import)));
        EXPECT_TRUE(stored);
        EXPECT_FALSE(stored->replayed);
        return session;
    }
    // As a crash might have left it.
    void change(const char* sql)
    {
        store.reset();
        Database(counted().file, Database::Access::write).execute(sql);
        store = trial->open();
    }
    std::int64_t rows(const std::string& table)
    {
        const std::string count = "SELECT count(*) FROM " + table;
        return Database(counted().file, Database::Access::read).integer(count.c_str());
    }
    std::size_t hits(const std::string& text)
    {
        while (block_on(store->search().update_index(100)).value() > 0) continue;
        return block_on(store->search().find(anas, search::Query::parse(text), {}, {}, 10))
            .value()
            .items.size();
    }
    void expect_nothing()
    {
        for (const char* table : {"sessions", "messages", "branches", "runs", "frames", "imports",
                                  "search_docs", "images", "message_images"})
            EXPECT_EQ(rows(table), 0) << table;
    }
};

TEST_F(SessionRemovalTest, IsDoneInPartsIfItIsLarge)
{
    const Session session = imported(1800);
    asked(session);
    asked(session);
    EXPECT_GT(hits("text"), 0U);
    counted().commits = 0;
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));
    EXPECT_EQ(counted().commits, 1 + 3 + 1) << "hidden, three times 500 messages, the rest";
    expect_nothing();
}

TEST_F(SessionRemovalTest, IsDoneInPartsIfItIsThatOfItsOnlyRun)
{
    NewRun wanted = first_run(anas);
    for (int i = 0; i < 1200; ++i)
        wanted.earlier.push_back({.id = new_id("msg", later()),
                                  .speaker = i % 2 == 0 ? Speaker::user : Speaker::assistant,
                                  .parts = {"text"},
                                  .created_at = wanted.question->created_at});
    const RunWithMessages whole = begin(wanted).value().whole;
    ASSERT_TRUE(finish(whole));
    counted().commits = 0;
    const RemovedRun removed = block_on(runs().remove_run(anas, whole.run.id, later(), {})).value();
    EXPECT_TRUE(removed.removed_session);
    EXPECT_EQ(counted().commits, 1 + 2 + 1) << "hidden, twice 500 messages, the rest";
    expect_nothing();
}

TEST_F(SessionRemovalTest, IsDoneAtOnceIfItIsSmall)
{
    const Session session = imported(500);
    counted().commits = 0;
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));
    EXPECT_EQ(counted().commits, 1);
    expect_nothing();
}

TEST_F(SessionRemovalTest, LeavesNothingToBeFoundBeforeAllIsDeleted)
{
    const Session session = imported(4);
    const RunWithMessages whole = asked(session, AfterNewest{}, "Wherefore?");
    EXPECT_EQ(hits("wherefore"), 1U);
    change("UPDATE sessions SET removed = 1, id = id || ' removed'; DELETE FROM imports");

    EXPECT_FALSE(is_there(session));
    EXPECT_TRUE(block_on(sessions().list_sessions(anas, {}, {}, 10)).value().items.empty());
    EXPECT_FALSE(block_on(messages().find_message(anas, whole.question.id)));
    EXPECT_FALSE(block_on(messages().list_branch(anas, session.id, {}, true, {}, 10)));
    EXPECT_FALSE(block_on(runs().find_run(anas, whole.run.id)));
    EXPECT_TRUE(block_on(runs().list_runs(anas, {}, {}, 10)).value().items.empty());
    EXPECT_EQ(begin(new_run(session, ReplyTo{whole.run.answer})).error().code, Errc::not_found);
    EXPECT_EQ(hits("wherefore"), 0U);
    const auto sink = std::make_shared<CountingSink>();
    EXPECT_TRUE(block_on(store->moving().export_data(anas, {}, sink)));
    EXPECT_EQ(sink->sessions + sink->messages, 0);

    EXPECT_EQ(rows("messages"), 6);
    EXPECT_TRUE(block_on(sessions().idle_sessions(later() + 10'000h, 1, 10)).value().empty());
    expect_nothing();
}

TEST_F(SessionRemovalTest, OfAnInterruptedImportComesAfterADay)
{
    imported(4);
    change("UPDATE imports SET complete = 0; UPDATE sessions SET removed = 1");
    EXPECT_TRUE(block_on(sessions().idle_sessions(later() + 23h, {}, 10)).value().empty());
    EXPECT_EQ(rows("messages"), 4) << "another server may still import it";
    EXPECT_TRUE(block_on(sessions().idle_sessions(later() + 25h, {}, 10)).value().empty());
    expect_nothing();
}

TEST_F(SessionRemovalTest, OfAnInterruptedImportIsDoneInPartsToo)
{
    const Session first = imported(1200);
    change("UPDATE imports SET complete = 0; UPDATE sessions SET message_count = 0");
    counted().commits = 0;
    const Session again = imported(1200);
    EXPECT_EQ(counted().commits, 1 + 3 + 5 + 1) << "begun, deleted in 3 parts, stored in 5, ended";
    EXPECT_FALSE(is_there(first));
    EXPECT_EQ(found(again).message_count, 1200);
    EXPECT_EQ(rows("messages"), 1200);
    EXPECT_EQ(rows("sessions"), 1);
}

}  // namespace
}  // namespace parley::store::sqlite
