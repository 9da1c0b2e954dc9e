// The contract tests of how sessions are listed.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class SessionListsContract : public ChatContractTest {
protected:
    using Sort = SessionFilter::Sort;

    auto page(const SessionFilter& filter, std::optional<Sessions::Position> after,
              std::size_t limit)
    {
        return block_on(sessions().list_sessions(anas, filter, after, limit)).value();
    }
    // The titles of all pages one behind the other; `between` is done after each.
    template <class Between>
    std::string titles(const SessionFilter& filter, std::size_t limit, Between between)
    {
        std::string seen;
        std::optional<Sessions::Position> after;
        do {
            const auto page = this->page(filter, after, limit);
            for (const Session& each : page.items) seen += each.title;
            after = page.next;
            between();
        } while (after);
        return seen;
    }
    std::string titles(const SessionFilter& filter, std::size_t limit = 100)
    {
        return titles(filter, limit, [] {});
    }
    std::vector<Session> fill(int count)
    {
        std::vector<Session> made;
        for (int i = 0; i < count; ++i) {
            made.push_back(created(anas, std::to_string(i)));
            created(bens, "b");
            created(anas_test, "t");
        }
        return made;
    }
    void archive(const Session& session, bool archived = true)
    {
        const SessionChange change{.archived = archived, .now = later()};
        EXPECT_TRUE(block_on(sessions().change_session(session.owner, session.id, change)));
    }
};

TEST_F(SessionListsContract, ListsInEveryOrderPageByPage)
{
    const auto made = fill(7);
    ASSERT_TRUE(begin(new_run(made.at(2))));
    using Sort = SessionFilter::Sort;
    for (const std::size_t limit : {1U, 2U, 3U, 7U, 100U}) {
        EXPECT_EQ(titles({}, limit), "2654310");
        EXPECT_EQ(titles({.ascending = true}, limit), "0134562");
        EXPECT_EQ(titles({.sort = Sort::created}, limit), "6543210");
        EXPECT_EQ(titles({.sort = Sort::created, .ascending = true}, limit), "0123456");
    }
    EXPECT_EQ(page({}, {}, 7).next, std::nullopt);
    EXPECT_NE(page({}, {}, 6).next, std::nullopt);
    EXPECT_TRUE(page({}, -1, 7).items.empty());
    EXPECT_EQ(page({}, {}, 1).items.at(0), found(made.at(2)));
}

TEST_F(SessionListsContract, CountsAsActivityWhatARunDoesAndNoChange)
{
    const auto made = fill(3);
    const RunWithMessages first = begun(made.at(0));
    EXPECT_EQ(titles({}), "021");
    const RunWithMessages second = begun(made.at(1));
    EXPECT_EQ(titles({}), "102");
    ASSERT_TRUE(block_on(runs().start_run(first.run.id, later())));
    EXPECT_EQ(titles({}), "102");
    ASSERT_TRUE(finish(first));
    EXPECT_EQ(titles({}), "012");
    archive(made.at(2));
    archive(made.at(2), false);
    EXPECT_EQ(titles({}), "012");
    ASSERT_TRUE(finish(second));
    ASSERT_TRUE(begin(new_run(made.at(0), Regenerate{first.question.id})));
    EXPECT_EQ(titles({}), "012");
}

TEST_F(SessionListsContract, SkipsAndRepeatsNothingWhileSessionsBecomeActive)
{
    const auto made = fill(7);
    // Session 0 becomes active while the first page is read: it is at the front, which was seen.
    // Session 3 is removed; new ones come.
    int pages = 0;
    const auto meanwhile = [&] {
        if (++pages == 1) ASSERT_TRUE(begin(new_run(made.at(0))));
        if (pages == 1) ASSERT_TRUE(block_on(sessions().remove_session(anas, made.at(3).id)));
        if (pages < 3) created(anas, "n");
    };
    EXPECT_EQ(titles({}, 2, meanwhile), "65421");

    // Forwards it is met again at the end, where it now belongs.
    pages = 10;
    const auto ask_first = [&] {
        if (++pages == 11) ASSERT_TRUE(begin(new_run(made.at(1))));
    };
    EXPECT_EQ(titles({.ascending = true}, 2, ask_first), "124560nn1");
    pages = 10;
    const auto ask_second = [&] {
        if (++pages == 11) ASSERT_TRUE(begin(new_run(made.at(2))));
    };
    EXPECT_EQ(titles({.sort = SessionFilter::Sort::created}, 2, ask_second), "nn654210");
}

TEST_F(SessionListsContract, NeverGivesAPlaceTwice)
{
    const auto made = fill(2);
    const auto expect_at_the_end = [&](SessionFilter::Sort sort, auto become_newest) {
        const SessionFilter upwards{.sort = sort, .ascending = true};
        const Session third = created(anas);
        const Session fourth = created(anas);
        const auto behind_third = page(upwards, {}, 3).next;
        for (const Session& each : {third, fourth})
            ASSERT_TRUE(block_on(sessions().remove_session(anas, each.id)));
        // The newest session does not take the place of one that was removed.
        const Session newest = found(become_newest());
        EXPECT_EQ(page(upwards, behind_third, 3).items, std::vector{newest});
    };
    expect_at_the_end(SessionFilter::Sort::activity, [&] {
        EXPECT_TRUE(begin(new_run(made.at(0))));
        return made.at(0);
    });
    const auto create = [&] { return created(anas); };
    expect_at_the_end(SessionFilter::Sort::created, create);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, made.at(1).id)));
    expect_at_the_end(SessionFilter::Sort::activity, create);
}

TEST_F(SessionListsContract, TellsArchivedSessionsFromOthers)
{
    const auto made = fill(6);
    for (const int i : {1, 3, 4}) archive(made.at(static_cast<std::size_t>(i)));
    for (const auto sort : {SessionFilter::Sort::activity, SessionFilter::Sort::created}) {
        for (const std::size_t limit : {1U, 2U, 100U}) {
            EXPECT_EQ(titles({.sort = sort, .archived = true}, limit), "431");
            EXPECT_EQ(titles({.sort = sort, .archived = false}, limit), "520");
            EXPECT_EQ(titles({.sort = sort}, limit), "543210");
            EXPECT_EQ(titles({.sort = sort, .ascending = true, .archived = true}, limit), "134");
        }
    }
    archive(made.at(3), false);
    EXPECT_EQ(titles({.archived = true}), "41");
    EXPECT_EQ(titles({.archived = false}), "5320");
}

TEST_F(SessionListsContract, FindsPartsOfTitles)
{
    const auto add = [&](const std::string& key, const std::string& title) {
        Session session = new_session(anas, title);
        session.title_key = key;
        ASSERT_TRUE(block_on(sessions().create_session(session)));
    };
    add("über the hedge", "0");
    add("a\0b"s, "1");
    add("100% of_it", "2");
    add("", "3");
    add("the hedge", "4");
    const auto with = [&](const std::string& part) { return titles({.title_part = part}, 1); };
    EXPECT_EQ(with(""), "43210");
    EXPECT_EQ(with("hedge"), "40");
    EXPECT_EQ(with("ü"), "0");
    EXPECT_EQ(with("0% o"), "2");
    EXPECT_EQ(with("%"), "2");
    EXPECT_EQ(with("_"), "2");
    EXPECT_EQ(with("\0b"s), "1");
    EXPECT_EQ(with("\0"s), "1");
    EXPECT_EQ(with("H"), "");
    EXPECT_EQ(with("'"), "");
}

TEST_F(SessionListsContract, ListsThoseOfAnAutomation)
{
    for (const char* title : {"0", "1", "2", "3"}) {
        Session session = new_session(anas, title);
        if (title[0] != '1') session.automation = title[0] == '3' ? "aut_b" : "aut_a";
        ASSERT_TRUE(block_on(sessions().create_session(session)));
    }
    for (const auto sort : {Sort::activity, Sort::created})
        for (const std::size_t limit : {1U, 100U}) {
            EXPECT_EQ(titles({.sort = sort}, limit), "3210");
            EXPECT_EQ(titles({.sort = sort, .automation = ""}, limit), "1");
            EXPECT_EQ(titles({.sort = sort, .automation = "aut_a"}, limit), "20");
            EXPECT_EQ(titles({.sort = sort, .archived = false, .automation = "aut_b"}, limit), "3");
            EXPECT_EQ(titles({.sort = sort, .automation = "aut_none"}, limit), "");
        }
}

}  // namespace
}  // namespace parley::store
