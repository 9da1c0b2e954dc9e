// The contract tests of lists of runs, of the run that writes a message, and of pages that end
// early because their items are large.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class RunListsContract : public ChatContractTest {
protected:
    using Ids = std::vector<std::string>;

    // The ids of all pages one behind the other.
    Ids listed(const Owner& owner, const RunFilter& filter = {}, std::size_t limit = 100)
    {
        Ids ids;
        std::optional<Runs::Position> after;
        do {
            const auto page = block_on(runs().list_runs(owner, filter, after, limit)).value();
            EXPECT_LE(page.items.size(), limit);
            for (const RunWithMessages& whole : page.items) ids.push_back(whole.run.id);
            after = page.next;
        } while (after);
        return ids;
    }
};

TEST_F(RunListsContract, GivesTheOwnersRunsTheNewestFirst)
{
    const Session one = created(anas);
    const Session two = created(anas);
    Ids newest_first;
    for (int i = 0; i < 7; ++i)
        newest_first.insert(newest_first.begin(), asked(i % 2 == 0 ? one : two).run.id);
    asked(created(bens));
    const RunWithMessages test = asked(created(anas_test));
    for (const std::size_t limit : {1U, 2U, 3U, 7U, 100U})
        EXPECT_EQ(listed(anas, {}, limit), newest_first);
    EXPECT_EQ(listed(anas_test), Ids{test.run.id});
    EXPECT_EQ(listed({"usr_none"}), Ids());
    const auto page = block_on(runs().list_runs(anas, {}, {}, 1)).value();
    EXPECT_EQ(page.items.at(0).run, found(page.items.at(0)).run);
    EXPECT_EQ(page.items.at(0).answer, found(page.items.at(0)).answer);
}

TEST_F(RunListsContract, GivesOnlyThoseThatFitTheFilter)
{
    const Session one = created(anas);
    const Session two = created(anas);
    const RunWithMessages first = asked(one);
    const RunWithMessages second = asked(two);
    const RunWithMessages failed = begun(one);
    FinishedRun end = end_of(failed.run);
    end.status = RunStatus::failed;
    ASSERT_TRUE(block_on(runs().finish_run(end)));
    const RunWithMessages waiting = begun(two);

    EXPECT_EQ(listed(anas, {.status = RunStatus::completed}, 1),
              (Ids{second.run.id, first.run.id}));
    EXPECT_EQ(listed(anas, {.status = RunStatus::failed}), Ids{failed.run.id});
    EXPECT_EQ(listed(anas, {.status = RunStatus::queued}), Ids{waiting.run.id});
    EXPECT_EQ(listed(anas, {.status = RunStatus::running}), Ids());
    EXPECT_EQ(listed(anas, {.session = one.id}, 1), (Ids{failed.run.id, first.run.id}));
    EXPECT_EQ(listed(anas, {.status = RunStatus::completed, .session = two.id}),
              Ids{second.run.id});
    EXPECT_EQ(listed(anas, {.session = "ses_none"}), Ids());
    EXPECT_EQ(listed(bens, {.session = one.id}), Ids());
    ASSERT_TRUE(block_on(runs().start_run(waiting.run.id, later())));
    EXPECT_EQ(listed(anas, {.status = RunStatus::running}), Ids{waiting.run.id});
    EXPECT_EQ(listed(anas, {.status = RunStatus::queued}), Ids());
}

TEST_F(RunListsContract, FindsTheRunThatWritesAMessage)
{
    const Session session = created(anas);
    const RunWithMessages old = asked(session);
    const RunWithMessages writing = begun(session, Regenerate{old.question.id});
    const auto got = block_on(runs().find_writing_run(anas, writing.run.answer)).value();
    EXPECT_EQ(got.whole.run, writing.run);
    EXPECT_EQ(got.whole.question, writing.question);
    EXPECT_EQ(got.siblings, Ids{old.run.answer});
    for (const Owner& other : {bens, anas_test})
        EXPECT_EQ(block_on(runs().find_writing_run(other, writing.run.answer)).error().code,
                  Errc::not_found);
    EXPECT_EQ(block_on(runs().find_writing_run(anas, old.run.answer)).error().code,
              Errc::not_found);
    EXPECT_EQ(block_on(runs().find_writing_run(anas, "msg_none")).error().code, Errc::not_found);
    ASSERT_TRUE(finish(writing));
    EXPECT_EQ(block_on(runs().find_writing_run(anas, writing.run.answer)).error().code,
              Errc::not_found);
}

TEST_F(RunListsContract, EndsAPageBeforeItGrowsLarge)
{
    constexpr std::size_t large = 300'000;
    // Six bytes for each as JSON: such pages are still not larger.
    for (const char letter : {'x', '\x01'}) {
        const Session session = created(anas);
        Ids runs_wanted;
        for (int i = 0; i < 5; ++i)
            runs_wanted.insert(
                runs_wanted.begin(),
                asked(session, AfterNewest{}, "Why?", std::string(large, letter)).run.id);
        EXPECT_EQ(listed(anas, {.session = session.id}), runs_wanted);
        const auto page =
            block_on(runs().list_runs(anas, {.session = session.id}, {}, 100)).value();
        EXPECT_EQ(page.items.size(), letter == 'x' ? 3U : 1U);
        EXPECT_TRUE(page.next);
        for (const bool ascending : {true, false}) {
            std::size_t seen = 0;
            std::optional<Messages::Position> after;
            do {
                const auto got =
                    block_on(messages().list_branch(anas, session.id, {}, ascending, after, 100))
                        .value();
                std::size_t bytes = 0;
                for (const PlacedMessage& each : got.page.items)
                    bytes += json::quoted_size(each.message.parts.at(0));
                EXPECT_TRUE(bytes <= max_page_bytes || got.page.items.size() == 1) << bytes;
                seen += got.page.items.size();
                after = got.page.next;
            } while (after);
            EXPECT_EQ(seen, 10U);
        }
    }
}

TEST_F(RunListsContract, EndsAPageOfSessionsBeforeItGrowsLarge)
{
    for (int i = 0; i < 40; ++i) {
        Session session = new_session(anas);
        session.instructions = std::string(65'536, 'x');
        ASSERT_TRUE(block_on(sessions().create_session(session)));
    }
    std::set<std::string> seen;
    std::optional<Sessions::Position> after;
    int pages = 0;
    do {
        const auto page = block_on(sessions().list_sessions(anas, {}, after, 100)).value();
        EXPECT_LE(page.items.size(), 16U);
        for (const Session& each : page.items) EXPECT_TRUE(seen.insert(each.id).second);
        after = page.next;
        ++pages;
    } while (after);
    EXPECT_EQ(seen.size(), 40U);
    EXPECT_EQ(pages, 3);
}

}  // namespace
}  // namespace parley::store
