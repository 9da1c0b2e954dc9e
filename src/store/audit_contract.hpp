// The contract tests of the audit log.
#pragma once

#include "store/contract_fixture.hpp"

#include <set>

namespace parley::store {

template <class Maker>
class AuditContract : public ContractTest<Maker> {
protected:
    auto page(std::optional<AuditLog::Position> before, std::size_t limit)
    {
        return run(this->store->audit().list(before, limit)).value();
    }
};

TYPED_TEST_SUITE_P(AuditContract);

TYPED_TEST_P(AuditContract, GivesAuditEventsBackAsTheyWere)
{
    const AuditEvent sent = this->new_event();
    ASSERT_TRUE(run(this->store->audit().append(sent)));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 1U);
    EXPECT_EQ(page.items.at(0), sent);
    EXPECT_EQ(page.next, std::nullopt);
    EXPECT_EQ(run(this->store->audit().find(sent.id)).value(), sent);
    EXPECT_EQ(run(this->store->audit().find("evt_other")).error().code, Errc::not_found);
}

TYPED_TEST_P(AuditContract, KeepsEveryByteOfATextAsItWas)
{
    for (const std::string& nasty :
         {""s, "a\0b"s, "'; DROP TABLE audit; --"s, "\u2028\U0001F600"s, std::string(100'000, 'x')})
        ASSERT_TRUE(run(this->store->audit().append(this->new_event(nasty))));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 5U);
    EXPECT_EQ(page.items.at(0).target, std::string(100'000, 'x'));
    EXPECT_EQ(page.items.at(1).target, "\u2028\U0001F600");
    EXPECT_EQ(page.items.at(2).target, "'; DROP TABLE audit; --");
    EXPECT_EQ(page.items.at(3).target, "a\0b"s);
    EXPECT_EQ(page.items.at(4).target, "");
}

TYPED_TEST_P(AuditContract, ListsAuditEventsNewestFirstPageByPage)
{
    for (int i = 0; i < 7; ++i)
        ASSERT_TRUE(run(this->store->audit().append(this->new_event(std::to_string(i)))));
    std::string seen;
    std::optional<AuditLog::Position> before;
    for (int pages = 1;; ++pages) {
        const auto page = this->page(before, 3);
        for (const AuditEvent& event : page.items) seen += event.target;
        // What is stored while somebody turns pages neither repeats nor hides anything.
        ASSERT_TRUE(run(this->store->audit().append(this->new_event("new"))));
        before = page.next;
        if (!before) {
            EXPECT_EQ(pages, 3);
            break;
        }
    }
    EXPECT_EQ(seen, "6543210");
}

TYPED_TEST_P(AuditContract, TellsThatAListEndsWithAFullPage)
{
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(run(this->store->audit().append(this->new_event())));
    EXPECT_EQ(this->page(std::nullopt, 4).next, std::nullopt);
    const auto half = this->page(std::nullopt, 2);
    ASSERT_TRUE(half.next);
    EXPECT_EQ(this->page(half.next, 2).next, std::nullopt);
    EXPECT_TRUE(this->page(-1, 2).items.empty());
}

TYPED_TEST_P(AuditContract, RefusesAnEventThatIsThereAndGoesOn)
{
    const AuditEvent first = this->new_event("first");
    ASSERT_TRUE(run(this->store->audit().append(first)));
    AuditEvent twin = first;
    twin.target = "twin";
    EXPECT_EQ(run(this->store->audit().append(twin)).error().code, Errc::conflict);
    ASSERT_TRUE(run(this->store->audit().append(this->new_event("second"))));
    EXPECT_EQ(this->page(std::nullopt, 10).items.size(), 2U);
    EXPECT_EQ(this->page(std::nullopt, 10).items.at(1).target, "first");
}

TYPED_TEST_P(AuditContract, TakesWritesOfManyAtOnceAndLosesNone)
{
    constexpr int writers = 200;
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < writers; ++i)
        tasks.push_back(this->store->audit().append(this->new_event(std::to_string(i))));
    // One of them cannot be: it must not take the others of its commit down with it.
    AuditEvent twin = this->new_event("twin");
    ASSERT_TRUE(run(this->store->audit().append(twin)));
    tasks.push_back(this->store->audit().append(twin));

    const auto results = run_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }),
              writers);
    EXPECT_EQ(results.back().error().code, Errc::conflict);
    std::set<std::string> targets;
    for (const AuditEvent& each : this->page(std::nullopt, 1000).items) targets.insert(each.target);
    EXPECT_EQ(targets.size(), writers + 1U);
}

TYPED_TEST_P(AuditContract, KeepsWhatItSaidItKept)
{
    if (!TypeParam::keeps) return;
    const AuditEvent sent = this->new_event();
    ASSERT_TRUE(run(this->store->audit().append(sent)));
    this->reopen();
    ASSERT_EQ(this->page(std::nullopt, 10).items.size(), 1U);
    EXPECT_EQ(this->page(std::nullopt, 10).items.at(0), sent);
    EXPECT_TRUE(this->store->can_write());
}

REGISTER_TYPED_TEST_SUITE_P(AuditContract, GivesAuditEventsBackAsTheyWere,
                            KeepsEveryByteOfATextAsItWas, ListsAuditEventsNewestFirstPageByPage,
                            TellsThatAListEndsWithAFullPage, RefusesAnEventThatIsThereAndGoesOn,
                            TakesWritesOfManyAtOnceAndLosesNone, KeepsWhatItSaidItKept);

}  // namespace parley::store
