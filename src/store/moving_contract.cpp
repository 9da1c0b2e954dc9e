// The contract tests of import and export.
#include "store/moving_contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(MovingContract, KeepsTheTreeAndTheTimesOfAnImport)
{
    NewImport import = new_import(anas, 4);
    import.session.archived = true;
    import.messages[3].parent = 1;  // Two messages follow on one.
    import.messages[3].message.speaker = Speaker::user;
    import.newest = 2;
    const StoredImport stored = imported(import).value();
    EXPECT_FALSE(stored.replayed);
    EXPECT_EQ(stored.session, import.session.id);
    const Session session = found(import.session);
    EXPECT_EQ(session.title, "Moved");
    EXPECT_TRUE(session.archived);
    EXPECT_EQ(session.message_count, 4);
    EXPECT_EQ(session.created_at, import.session.created_at);
    EXPECT_EQ(session.newest_message, import.messages[2].message.id);
    EXPECT_EQ(session.last_message_at, import.messages[3].message.created_at);
    EXPECT_THAT(branch(anas, session.id), ElementsAre("text 0", "text 1", "text 2"));
    EXPECT_THAT(branch(anas, session.id, import.messages[3].message.id),
                ElementsAre("text 0", "text 1", "text 3"));
    const PlacedMessage last = found(import.messages[3].message, anas);
    EXPECT_EQ(last.message.created_at, import.messages[3].message.created_at);
    EXPECT_THAT(last.siblings,
                ElementsAre(import.messages[2].message.id, import.messages[3].message.id));
    EXPECT_FALSE(block_on(sessions().find_session(bens, session.id)));
    // It goes on like any other session.
    asked(session, ReplyTo{import.messages[1].message.id});
    EXPECT_THAT(branch(anas, session.id), ElementsAre("text 0", "text 1", "Why?", "Because."));
}

TEST_F(MovingContract, ImportsTheSameConversationOnce)
{
    const NewImport first = new_import(anas, 2);
    ASSERT_TRUE(imported(first));
    NewImport again = new_import(anas, 2);
    const StoredImport replayed = imported(again).value();
    EXPECT_TRUE(replayed.replayed);
    EXPECT_EQ(replayed.session, first.session.id);
    EXPECT_FALSE(is_there(again.session));
    again.format = "open_webui";
    EXPECT_FALSE(imported(again).value().replayed);
    EXPECT_FALSE(imported(new_import(anas, 2, 2)).value().replayed);
    EXPECT_FALSE(imported(new_import(anas_test, 2)).value().replayed);
    EXPECT_FALSE(imported(new_import(bens, 2)).value().replayed);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, first.session.id)));
    EXPECT_FALSE(imported(new_import(anas, 2)).value().replayed);
    EXPECT_EQ(imported(new_import({"usr_none"}, 1)).error().code, Errc::not_found);
}

TEST_F(MovingContract, ImportsTheSameConversationOnceAlsoAtTheSameTime)
{
    std::vector<Task<Result<StoredImport>>> tasks;
    for (int i = 0; i < 6; ++i)
        tasks.push_back(store->moving().import_session(new_import(anas, 1000)));
    const auto all = block_on_all(std::move(tasks));
    for (const auto& each : all) {
        ASSERT_TRUE(each) << each.error().message;
        EXPECT_EQ(each->session, all.front()->session);
    }
    EXPECT_EQ(std::ranges::count(all, true, [](const auto& each) { return each->replayed; }), 5);
    EXPECT_EQ(branch(anas, all.front()->session).size(), 1000U);
    const auto listed = block_on(sessions().list_sessions(anas, {}, {}, 10)).value();
    EXPECT_EQ(listed.items.size(), 1U);
}

TEST_F(MovingContract, ImportsEmptyAndLongConversations)
{
    const NewImport nothing = new_import(anas, 0);
    ASSERT_TRUE(imported(nothing));
    EXPECT_EQ(found(nothing.session).message_count, 0);
    const NewImport many = new_import(anas, 1100, 2);
    ASSERT_TRUE(imported(many));
    EXPECT_EQ(found(many.session).message_count, 1100);
    const auto texts = branch(anas, many.session.id);
    ASSERT_EQ(texts.size(), 1100U);
    EXPECT_EQ(texts.back(), "text 1099");
    NewImport wide = new_import(anas, 600, 3);
    for (std::size_t i = 1; i < wide.messages.size(); ++i) wide.messages[i].parent = 0;
    ASSERT_TRUE(imported(wide));
    EXPECT_EQ(found(wide.messages[599].message, anas).siblings.size(), 599U);
}

TEST_F(MovingContract, RemovesALongConversationAsAWhole)
{
    const NewImport import = new_import(anas, 1100);
    ASSERT_TRUE(imported(import));
    const RunWithMessages whole = asked(import.session);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, import.session.id)));
    EXPECT_FALSE(is_there(import.session));
    EXPECT_FALSE(block_on(messages().find_message(anas, import.messages[7].message.id)));
    EXPECT_FALSE(block_on(runs().find_run(anas, whole.run.id)));
    EXPECT_THAT(exported(anas).lines, ElementsAre("user ana"));
    EXPECT_THAT(idle_after(10'000h, 1), IsEmpty());
    EXPECT_EQ(block_on(sessions().remove_session(anas, import.session.id)).error().code,
              Errc::not_found);
    EXPECT_FALSE(imported(new_import(anas, 1100)).value().replayed);
}

TEST_F(MovingContract, LeavesNothingOfAnImportThatTheShutdownEnds)
{
    ASSERT_TRUE(imported(new_import(anas, 2, 2)));
    store->moving().end_by(std::chrono::steady_clock::now());
    EXPECT_EQ(imported(new_import(anas, 300)).error().code, Errc::shutting_down);
    EXPECT_EQ(imported(new_import(anas, 2, 2)).error().code, Errc::shutting_down);
    EXPECT_EQ(export_error(anas, {}), Errc::shutting_down);
    EXPECT_EQ(block_on(sessions().list_sessions(anas, {}, {}, 10)).value().items.size(), 1U);
}

TEST_F(MovingContract, TellsOfAnImport)
{
    const NewImport import = new_import(anas, 2);
    ASSERT_TRUE(imported(import));
    ASSERT_TRUE(imported(import));
    const auto events = block_on(store->events().read(anas, 0, EventTypes::all(), 10)).value();
    ASSERT_EQ(events.events.size(), 1U);
    EXPECT_EQ(events.events[0].type, EventType::session_created);
    EXPECT_EQ(events.events[0].subject, import.session.id);
    EXPECT_EQ(events.events[0].cause.request, "req_1");
}

TEST_F(MovingContract, ExportsAllOfAnOwner)
{
    const Session one = created(anas, "One");
    asked(one, NewRoot{}, "first", "second");
    const Session two = created(anas, "Two");
    asked(two, NewRoot{}, "third", "fourth");
    asked(two, NewRoot{}, "fifth", "sixth");
    asked(created(bens, "Bens"));
    asked(created(anas_test, "Test"));
    const RecordedExport all = exported(anas);
    EXPECT_THAT(all.lines, ElementsAre("user ana", "session One", "message first", "message second",
                                       "session Two", "message third", "message fourth",
                                       "message fifth", "message sixth"));
    EXPECT_EQ(all.sessions.at(0), found(one));
    EXPECT_EQ(all.messages.at(1).parent, all.messages.at(0).id);
    EXPECT_EQ(all.messages.at(4).parent, std::nullopt);
    EXPECT_THAT(exported(anas_test).lines, testing::SizeIs(4));
    EXPECT_EQ(export_error({"usr_none"}, {}), Errc::not_found);
}

TEST_F(MovingContract, ExportsOneSession)
{
    const Session one = created(anas, "One");
    asked(one, NewRoot{}, "first", "second");
    asked(created(anas, "Two"));
    EXPECT_THAT(exported(anas, one.id).lines,
                ElementsAre("session One", "message first", "message second"));
    EXPECT_EQ(export_error(bens, one.id), Errc::not_found);
    EXPECT_EQ(export_error(anas_test, one.id), Errc::not_found);
    EXPECT_EQ(export_error(anas, "ses_none"), Errc::not_found);
}

TEST_F(MovingContract, ExportsManySessionsAndMessages)
{
    for (unsigned char i = 1; i <= 130; ++i) ASSERT_TRUE(imported(new_import(anas, i % 2, i)));
    ASSERT_TRUE(imported(new_import(anas, 250, 131)));
    const RecordedExport all = exported(anas);
    EXPECT_EQ(all.sessions.size(), 131U);
    EXPECT_EQ(all.messages.size(), 65U + 250U);
    auto full = std::make_shared<RecordedExport>();
    full->most = 50;
    ASSERT_TRUE(block_on(store->moving().export_data(anas, {}, full)));
    EXPECT_LT(full->lines.size(), 200U);
}

}  // namespace
}  // namespace parley::store
