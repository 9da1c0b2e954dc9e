// The contract tests of the search.
#include "store/chat_contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Ids = std::vector<std::string>;

class SearchContract : public ChatContractTest {
protected:
    // Until nothing is left to do.
    std::size_t index()
    {
        std::size_t all = 0;
        for (;;) {
            const std::size_t some = block_on(store->search().update_index(3)).value();
            EXPECT_LE(some, 3U);
            if (some == 0) return all;
            all += some;
        }
    }
    Page<FoundMessage, Search::Position> page(const Owner& owner, const std::string& query,
                                              const SearchFilter& filter = {},
                                              std::optional<Search::Position> after = {},
                                              std::size_t limit = 100)
    {
        return block_on(
                   store->search().find(owner, search::Query::parse(query), filter, after, limit))
            .value();
    }
    // The ids of all that are found.
    Ids ids(const Owner& owner, const std::string& query, const SearchFilter& filter = {})
    {
        Ids found;
        for (const FoundMessage& each : page(owner, query, filter).items)
            found.push_back(each.message);
        return found;
    }
    std::size_t count(const std::string& query, const SearchFilter& filter = {})
    {
        return page(anas, query, filter).items.size();
    }
    // A question without an answer; gives its id.
    std::string said(const Session& session, const std::string& text)
    {
        return begun(session, NewRoot{}, text).question.id;
    }
};

TEST_F(SearchContract, FindsMessagesOnceTheyAreInTheIndex)
{
    const Session session = created(anas, "Trees");
    const RunWithMessages whole = asked(session, NewRoot{}, "How tall is an oak?", "Forty metres.");
    index();
    const auto found = page(anas, "OAK").items;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message, whole.question.id);
    EXPECT_EQ(found[0].session, session.id);
    EXPECT_EQ(found[0].session_title, "Trees");
    EXPECT_EQ(found[0].speaker, Speaker::user);
    EXPECT_EQ(found[0].created_at, whole.question.created_at);
    EXPECT_EQ(found[0].snippet.text, "How tall is an oak?");
    EXPECT_THAT(found[0].snippet.marks, ElementsAre(std::pair<std::size_t, std::size_t>(15, 18)));
    EXPECT_THAT(ids(anas, "metres forty"), ElementsAre(whole.run.answer));
    EXPECT_THAT(ids(anas, "oak metres"), IsEmpty());
    EXPECT_EQ(index(), 0U);
}

TEST_F(SearchContract, UnderstandsPhrasesBeginningsAndScripts)
{
    const Session session = created(anas);
    const std::string coffee = said(session, "Ein heißer Café, bitte!");
    const std::string decomposed = said(session, "cafe\u0301 heisser ein");
    const std::string tokyo = said(session, "明日は東京都へ行く");
    const std::string sql = said(session, "NEAR(a, \"b\") OR 1=1 -- 100% 's' ");
    index();
    EXPECT_THAT(ids(anas, "cafe HEISSER"), ElementsAre(decomposed, coffee));
    EXPECT_THAT(ids(anas, "\"heisser cafe\""), ElementsAre(coffee));
    EXPECT_THAT(ids(anas, "\"cafe heis*\""), ElementsAre(decomposed));
    EXPECT_THAT(ids(anas, "bit*"), ElementsAre(coffee));
    EXPECT_THAT(ids(anas, "bit"), IsEmpty());
    EXPECT_THAT(ids(anas, "東京"), ElementsAre(tokyo));
    EXPECT_THAT(ids(anas, "京都"), ElementsAre(tokyo));
    EXPECT_THAT(ids(anas, "都京"), IsEmpty());
    EXPECT_THAT(ids(anas, "行*"), ElementsAre(tokyo));
    EXPECT_THAT(ids(anas, "NEAR("), ElementsAre(sql));
    EXPECT_THAT(ids(anas, "\" OR 1=1"), ElementsAre(sql));
    EXPECT_THAT(ids(anas, "'s' -100%"), ElementsAre(sql));
    EXPECT_THAT(ids(anas, "***"), IsEmpty());
}

TEST_F(SearchContract, FindsOnlyWhatBelongsToTheOwner)
{
    const std::string anas_own = said(created(anas), "shared word");
    const std::string tests = said(created(anas_test), "shared word");
    const std::string bens_own = said(created(bens), "shared word");
    index();
    EXPECT_THAT(ids(anas, "shared"), ElementsAre(anas_own));
    EXPECT_THAT(ids(anas_test, "sha*"), ElementsAre(tests));
    EXPECT_THAT(ids(bens, "\"shared word\""), ElementsAre(bens_own));
    EXPECT_THAT(ids({"usr_none"}, "shared"), IsEmpty());
}

TEST_F(SearchContract, KeepsToItsFilters)
{
    const Session one = created(anas);
    const Session other = created(anas);
    const RunWithMessages first = asked(one, NewRoot{}, "apple", "apple pie");
    const TimePoint between = later();
    const std::string second = said(other, "apple tart");
    index();
    EXPECT_THAT(ids(anas, "apple", {.session = one.id}),
                ElementsAre(first.run.answer, first.question.id));
    EXPECT_THAT(ids(anas, "apple", {.session = "ses_none"}), IsEmpty());
    EXPECT_THAT(ids(bens, "apple", {.session = one.id}), IsEmpty());
    EXPECT_THAT(ids(anas, "apple", {.speaker = Speaker::assistant}), ElementsAre(first.run.answer));
    EXPECT_THAT(ids(anas, "apple", {.since = between}), ElementsAre(second));
    EXPECT_THAT(ids(anas, "apple", {.before = between}),
                ElementsAre(first.run.answer, first.question.id));
    EXPECT_THAT(ids(anas, "apple", {.before = first.question.created_at}), IsEmpty());
    EXPECT_THAT(ids(anas, "apple", {.since = first.question.created_at, .before = between}),
                testing::SizeIs(2));
}

TEST_F(SearchContract, GivesPagesNewestFirst)
{
    const Session session = created(anas);
    Ids said_so_far;
    for (int i = 0; i < 25; ++i) {
        said_so_far.insert(said_so_far.begin(), said(session, "word " + std::to_string(i)));
        said(session, "something else");
    }
    index();
    Ids read;
    std::optional<Search::Position> after;
    do {
        const auto next = page(anas, "word", {}, after, 10);
        EXPECT_LE(next.items.size(), 10U);
        for (const FoundMessage& each : next.items) read.push_back(each.message);
        after = next.next;
    } while (after);
    EXPECT_EQ(read, said_so_far);
    EXPECT_EQ(page(anas, "word", {}, {}, 25).next, std::nullopt);
}

TEST_F(SearchContract, FindsManyMessagesOfOneMillisecond)
{
    const Session session = created(anas);
    std::vector<Task<Result<BegunRun>>> tasks;
    const TimePoint now = later();
    for (int i = 0; i < 1100; ++i) {
        NewRun wanted = new_run(session, NewRoot{}, "same time");
        wanted.question->created_at = now;
        tasks.push_back(runs().begin_run(std::move(wanted)));
    }
    for (const auto& made : block_on_all(std::move(tasks))) ASSERT_TRUE(made);
    while (block_on(store->search().update_index(200)).value() > 0) {
    }
    const auto count_all = [&](const SearchFilter& filter) {
        std::set<std::string> found;
        std::optional<Search::Position> after;
        do {
            const auto next = page(anas, "same", filter, after, 100);
            for (const FoundMessage& each : next.items) found.insert(each.message);
            after = next.next;
        } while (after);
        return found.size();
    };
    EXPECT_EQ(count_all({}), 1100U);
    EXPECT_EQ(count_all({.since = now}), 1100U);
    EXPECT_EQ(count_all({.before = now + 1ms}), 1100U);
    EXPECT_EQ(count_all({.before = now}), 0U);
}

TEST_F(SearchContract, IndexesNewMessagesBeforeManyOlderOnes)
{
    const Session session = created(anas);
    for (int i = 0; i < 40; ++i) said(session, "old");
    const auto step = [&] { EXPECT_LE(block_on(store->search().update_index(4)).value(), 4U); };
    for (int i = 0; i < 3; ++i) step();
    const std::string fresh = said(session, "new");
    for (int i = 0; i < 4; ++i) step();
    EXPECT_THAT(ids(anas, "new"), ElementsAre(fresh));
    EXPECT_LT(count("old"), 40U);
    index();
    EXPECT_EQ(count("old"), 40U);
    EXPECT_EQ(count("new"), 1U);
    EXPECT_EQ(index(), 0U);
}

TEST_F(SearchContract, FindsNothingThatIsDeleted)
{
    const Session session = created(anas);
    const Session other = created(anas);
    said(session, "secret plan");
    index();
    const std::string kept = said(other, "secret garden");
    said(session, "secret not yet in the index");
    ASSERT_EQ(count("secret"), 1U);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));
    EXPECT_EQ(count("secret"), 0U);
    index();
    EXPECT_THAT(ids(anas, "secret"), ElementsAre(kept));
    EXPECT_THAT(ids(anas, "plan"), IsEmpty());
    ASSERT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_THAT(ids(anas, "secret"), IsEmpty());
    index();
    EXPECT_EQ(index(), 0U);
}

TEST_F(SearchContract, FindsMessagesThatTookThePlaceOfDeletedOnes)
{
    const Session session = created(anas);
    for (int i = 0; i < 5; ++i) said(session, "old text");
    index();
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));
    const Session next = created(anas);
    for (int i = 0; i < 4; ++i) said(next, "new text");
    index();
    EXPECT_EQ(count("new"), 4U);
    EXPECT_EQ(count("text"), 4U);
    EXPECT_EQ(count("old"), 0U);
}

TEST_F(SearchContract, FindsWordsOfLongMessages)
{
    const Session session = created(anas);
    std::string text = "first one ";
    for (int i = 0; i < 12'000; ++i) text += "the x" + std::to_string(i) + " ";
    text += "penultimate last";
    const std::string id = said(session, text);
    const std::string other = said(session, "last penultimate");
    index();
    EXPECT_THAT(ids(anas, "first x11999 last"), ElementsAre(id));
    EXPECT_THAT(ids(anas, "\"penultimate last\""), ElementsAre(id));
    EXPECT_THAT(ids(anas, "\"x11998 the x11999\""), ElementsAre(id));
    EXPECT_THAT(ids(anas, "\"last penultimate\""), ElementsAre(other));
    EXPECT_THAT(ids(anas, "\"the the\""), IsEmpty());
}

TEST_F(SearchContract, FindsLongPhrasesOnly)
{
    const Session session = created(anas);
    const std::string id = said(session, "one two three four five six seven eight nine ten eleven");
    said(session, "one two three four five six seven eight nine ten twelve");
    index();
    EXPECT_THAT(ids(anas, "\"one two three four five six seven eight nine ten eleven\""),
                ElementsAre(id));
    EXPECT_THAT(ids(anas, "\"one two three four five six seven eight nine ten elev*\""),
                ElementsAre(id));
    EXPECT_EQ(count("\"one two three four five six seven eight nine ten\""), 2U);
    EXPECT_THAT(ids(anas, "\"one two three four five six seven eight ten\""), IsEmpty());
}

// However long the messages are, a page is read in bounded time.
TEST_F(SearchContract, EndsAPageBehindLongMessages)
{
    const Session session = created(anas);
    std::string text;
    while (text.size() < 600'000) text += "long ";
    Ids sent;
    for (int i = 0; i < 5; ++i) sent.insert(sent.begin(), said(session, text));
    index();
    Ids found;
    std::optional<Search::Position> after;
    std::size_t pages = 0;
    do {
        const auto some = page(anas, "long", {}, after);
        EXPECT_LE(some.items.size(), 2U);
        for (const FoundMessage& each : some.items) found.push_back(each.message);
        after = some.next;
        ASSERT_LE(++pages, 5U);
    } while (after);
    EXPECT_EQ(pages, 3U);
    EXPECT_EQ(found, sent);
}

TEST_F(SearchContract, KeepsTheIndex)
{
    if (!keeps()) GTEST_SKIP() << "This store keeps nothing.";
    const Session session = created(anas);
    const std::string before = said(session, "before the restart");
    index();
    const std::string late = said(session, "not in the index before the restart");
    reopen();
    EXPECT_THAT(ids(anas, "restart"), ElementsAre(before));
    EXPECT_EQ(index(), 1U);
    EXPECT_THAT(ids(anas, "restart"), ElementsAre(late, before));
}

}  // namespace
}  // namespace parley::store
