// The contract tests of how sessions are listed.
#pragma once

#include "store/chat_contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class SessionListsContract : public ChatContractTest<Maker> {
protected:
    using Sort = SessionFilter::Sort;

    auto page(const SessionFilter& filter, std::optional<Sessions::Position> after,
              std::size_t limit)
    {
        return run(this->sessions().list_sessions(this->anas, filter, after, limit)).value();
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
            made.push_back(this->created(this->anas, std::to_string(i)));
            this->created(this->bens, "b");
            this->created(this->anas_test, "t");
        }
        return made;
    }
    void archive(const Session& session, bool archived = true)
    {
        const SessionChange change{.archived = archived, .now = this->later()};
        EXPECT_TRUE(run(this->sessions().change_session(session.owner, session.id, change)));
    }
};

TYPED_TEST_SUITE_P(SessionListsContract);

TYPED_TEST_P(SessionListsContract, ListsInEveryOrderPageByPage)
{
    const auto made = this->fill(7);
    ASSERT_TRUE(this->begin(this->new_run(made.at(2))));
    using Sort = SessionFilter::Sort;
    for (const std::size_t limit : {1U, 2U, 3U, 7U, 100U}) {
        EXPECT_EQ(this->titles({}, limit), "2654310");
        EXPECT_EQ(this->titles({.ascending = true}, limit), "0134562");
        EXPECT_EQ(this->titles({.sort = Sort::created}, limit), "6543210");
        EXPECT_EQ(this->titles({.sort = Sort::created, .ascending = true}, limit), "0123456");
    }
    EXPECT_EQ(this->page({}, {}, 7).next, std::nullopt);
    EXPECT_NE(this->page({}, {}, 6).next, std::nullopt);
    EXPECT_TRUE(this->page({}, -1, 7).items.empty());
    EXPECT_EQ(this->page({}, {}, 1).items.at(0), this->found(made.at(2)));
}

TYPED_TEST_P(SessionListsContract, CountsAsActivityWhatARunDoesAndNoChange)
{
    const auto made = this->fill(3);
    const WholeRun first = this->begun(made.at(0));
    EXPECT_EQ(this->titles({}), "021");
    const WholeRun second = this->begun(made.at(1));
    EXPECT_EQ(this->titles({}), "102");
    ASSERT_TRUE(run(this->runs().start_run(first.run.id, this->later())));
    EXPECT_EQ(this->titles({}), "102");
    ASSERT_TRUE(this->finish(first));
    EXPECT_EQ(this->titles({}), "012");
    this->archive(made.at(2));
    this->archive(made.at(2), false);
    EXPECT_EQ(this->titles({}), "012");
    ASSERT_TRUE(this->finish(second));
    ASSERT_TRUE(this->begin(this->new_run(made.at(0), Again{first.question.id})));
    EXPECT_EQ(this->titles({}), "012");
}

TYPED_TEST_P(SessionListsContract, SkipsAndRepeatsNothingWhileSessionsBecomeActive)
{
    const auto made = this->fill(7);
    // Session 0 becomes active while the first page is read: it is at the front, which was seen.
    // Session 3 is removed; new ones come.
    int pages = 0;
    const auto meanwhile = [&] {
        if (++pages == 1) ASSERT_TRUE(this->begin(this->new_run(made.at(0))));
        if (pages == 1)
            ASSERT_TRUE(run(this->sessions().remove_session(this->anas, made.at(3).id)));
        if (pages < 3) this->created(this->anas, "n");
    };
    EXPECT_EQ(this->titles({}, 2, meanwhile), "65421");

    // Forwards it is met again at the end, where it now belongs.
    pages = 10;
    const auto ask_first = [&] {
        if (++pages == 11) ASSERT_TRUE(this->begin(this->new_run(made.at(1))));
    };
    EXPECT_EQ(this->titles({.ascending = true}, 2, ask_first), "124560nn1");
    pages = 10;
    const auto ask_second = [&] {
        if (++pages == 11) ASSERT_TRUE(this->begin(this->new_run(made.at(2))));
    };
    EXPECT_EQ(this->titles({.sort = SessionFilter::Sort::created}, 2, ask_second), "nn654210");
}

TYPED_TEST_P(SessionListsContract, NeverGivesAPlaceTwice)
{
    const auto made = this->fill(2);
    const auto expect_at_the_end = [&](SessionFilter::Sort sort, auto become_newest) {
        const SessionFilter upwards{.sort = sort, .ascending = true};
        const Session third = this->created(this->anas);
        const Session fourth = this->created(this->anas);
        const auto behind_third = this->page(upwards, {}, 3).next;
        for (const Session& each : {third, fourth})
            ASSERT_TRUE(run(this->sessions().remove_session(this->anas, each.id)));
        // What comes now does not take the place of what was removed.
        const Session newest = this->found(become_newest());
        EXPECT_EQ(this->page(upwards, behind_third, 3).items, std::vector{newest});
    };
    expect_at_the_end(SessionFilter::Sort::activity, [&] {
        EXPECT_TRUE(this->begin(this->new_run(made.at(0))));
        return made.at(0);
    });
    const auto create = [&] { return this->created(this->anas); };
    expect_at_the_end(SessionFilter::Sort::created, create);
    ASSERT_TRUE(run(this->sessions().remove_session(this->anas, made.at(1).id)));
    expect_at_the_end(SessionFilter::Sort::activity, create);
}

TYPED_TEST_P(SessionListsContract, TellsArchivedSessionsFromOthers)
{
    const auto made = this->fill(6);
    for (const int i : {1, 3, 4}) this->archive(made.at(static_cast<std::size_t>(i)));
    for (const auto sort : {SessionFilter::Sort::activity, SessionFilter::Sort::created}) {
        for (const std::size_t limit : {1U, 2U, 100U}) {
            EXPECT_EQ(this->titles({.sort = sort, .archived = true}, limit), "431");
            EXPECT_EQ(this->titles({.sort = sort, .archived = false}, limit), "520");
            EXPECT_EQ(this->titles({.sort = sort}, limit), "543210");
            EXPECT_EQ(this->titles({.sort = sort, .ascending = true, .archived = true}, limit),
                      "134");
        }
    }
    this->archive(made.at(3), false);
    EXPECT_EQ(this->titles({.archived = true}), "41");
    EXPECT_EQ(this->titles({.archived = false}), "5320");
}

TYPED_TEST_P(SessionListsContract, FindsPartsOfTitles)
{
    const auto add = [&](const std::string& key, const std::string& title) {
        Session session = this->new_session(this->anas, title);
        session.title_key = key;
        ASSERT_TRUE(run(this->sessions().create_session(session)));
    };
    add("über the hedge", "0");
    add("a\0b"s, "1");
    add("100% of_it", "2");
    add("", "3");
    add("the hedge", "4");
    const auto with = [&](const std::string& part) {
        return this->titles({.title_part = part}, 1);
    };
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

REGISTER_TYPED_TEST_SUITE_P(SessionListsContract, ListsInEveryOrderPageByPage,
                            CountsAsActivityWhatARunDoesAndNoChange,
                            SkipsAndRepeatsNothingWhileSessionsBecomeActive, NeverGivesAPlaceTwice,
                            TellsArchivedSessionsFromOthers, FindsPartsOfTitles);

}  // namespace parley::store
