// The contract tests that every store must pass. A store's own test file says how to make one:
//
//   struct MakesMine {
//       std::unique_ptr<store::Store> open();  // The same data each time, where it is kept at all.
//       static constexpr bool keeps = true;    // Whether data outlive the object.
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, StoreContract, MakesMine);
#pragma once

#include "base/id.hpp"
#include "base/run.hpp"
#include "store/store.hpp"

#include <gtest/gtest.h>

#include <set>

namespace parley::store {

template <class Maker>
class StoreContract : public testing::Test {
protected:
    Maker maker;
    std::unique_ptr<Store> store = maker.open();
    ManualClock clock;

    void reopen()
    {
        store.reset();
        store = maker.open();
    }

    AuditEvent event(std::string target = "usr_2")
    {
        clock.advance(std::chrono::milliseconds(1));
        return {new_id("evt", clock.now()), clock.now(), "usr_1", "user.changed",
                std::move(target),          "192.0.2.7", "req_1"};
    }
    auto page(std::optional<AuditLog::Position> before, std::size_t limit)
    {
        return run(store->audit().list(before, limit)).value();
    }
};

TYPED_TEST_SUITE_P(StoreContract);

TYPED_TEST_P(StoreContract, GivesAuditEventsBackAsTheyWere)
{
    const AuditEvent sent = this->event();
    ASSERT_TRUE(run(this->store->audit().append(sent)));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 1U);
    EXPECT_EQ(page.items.at(0), sent);
    EXPECT_EQ(page.next, std::nullopt);
}

TYPED_TEST_P(StoreContract, KeepsEveryByteOfATextAsItWas)
{
    using namespace std::string_literals;
    for (const std::string& nasty :
         {""s, "a\0b"s, "'; DROP TABLE audit; --"s, "\u2028\U0001F600"s, std::string(100'000, 'x')})
        ASSERT_TRUE(run(this->store->audit().append(this->event(nasty))));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 5U);
    EXPECT_EQ(page.items.at(0).target, std::string(100'000, 'x'));
    EXPECT_EQ(page.items.at(1).target, "\u2028\U0001F600");
    EXPECT_EQ(page.items.at(2).target, "'; DROP TABLE audit; --");
    EXPECT_EQ(page.items.at(3).target, "a\0b"s);
    EXPECT_EQ(page.items.at(4).target, "");
}

TYPED_TEST_P(StoreContract, ListsAuditEventsNewestFirstPageByPage)
{
    for (int i = 0; i < 7; ++i)
        ASSERT_TRUE(run(this->store->audit().append(this->event(std::to_string(i)))));
    std::string seen;
    std::optional<AuditLog::Position> before;
    for (int pages = 1;; ++pages) {
        const auto page = this->page(before, 3);
        for (const AuditEvent& event : page.items) seen += event.target;
        // What is stored while somebody turns pages neither repeats nor hides anything.
        ASSERT_TRUE(run(this->store->audit().append(this->event("new"))));
        before = page.next;
        if (!before) {
            EXPECT_EQ(pages, 3);
            break;
        }
    }
    EXPECT_EQ(seen, "6543210");
}

TYPED_TEST_P(StoreContract, TellsThatAListEndsWithAFullPage)
{
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(run(this->store->audit().append(this->event())));
    EXPECT_EQ(this->page(std::nullopt, 4).next, std::nullopt);
    const auto half = this->page(std::nullopt, 2);
    ASSERT_TRUE(half.next);
    EXPECT_EQ(this->page(half.next, 2).next, std::nullopt);
    EXPECT_TRUE(this->page(-1, 2).items.empty());
}

TYPED_TEST_P(StoreContract, RefusesAnEventThatIsThereAndGoesOn)
{
    const AuditEvent first = this->event("first");
    ASSERT_TRUE(run(this->store->audit().append(first)));
    AuditEvent twin = first;
    twin.target = "twin";
    EXPECT_EQ(run(this->store->audit().append(twin)).error().code, Errc::conflict);
    ASSERT_TRUE(run(this->store->audit().append(this->event("second"))));
    EXPECT_EQ(this->page(std::nullopt, 10).items.size(), 2U);
    EXPECT_EQ(this->page(std::nullopt, 10).items.at(1).target, "first");
}

TYPED_TEST_P(StoreContract, TakesWritesOfManyAtOnceAndLosesNone)
{
    constexpr int writers = 200;
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < writers; ++i)
        tasks.push_back(this->store->audit().append(this->event(std::to_string(i))));
    // One of them cannot be: it must not take the others of its commit down with it.
    AuditEvent twin = this->event("twin");
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

TYPED_TEST_P(StoreContract, MakesAKeyOnceForEachPurpose)
{
    const auto key_for = [&](const char* purpose) {
        return std::string(run(this->store->keys().key_for(purpose)).value().reveal());
    };
    const std::string key = key_for("cursors");
    EXPECT_EQ(key.size(), Keys::size);
    EXPECT_EQ(key_for("cursors"), key);
    EXPECT_NE(key_for("others"), key);
    if (TypeParam::keeps) {
        this->reopen();
        EXPECT_EQ(key_for("cursors"), key);
    }
}

TYPED_TEST_P(StoreContract, KeepsWhatItSaidItKept)
{
    if (!TypeParam::keeps) return;
    const AuditEvent sent = this->event();
    ASSERT_TRUE(run(this->store->audit().append(sent)));
    this->reopen();
    ASSERT_EQ(this->page(std::nullopt, 10).items.size(), 1U);
    EXPECT_EQ(this->page(std::nullopt, 10).items.at(0), sent);
    EXPECT_TRUE(this->store->can_write());
}

REGISTER_TYPED_TEST_SUITE_P(StoreContract, GivesAuditEventsBackAsTheyWere,
                            KeepsEveryByteOfATextAsItWas, ListsAuditEventsNewestFirstPageByPage,
                            TellsThatAListEndsWithAFullPage, RefusesAnEventThatIsThereAndGoesOn,
                            TakesWritesOfManyAtOnceAndLosesNone, MakesAKeyOnceForEachPurpose,
                            KeepsWhatItSaidItKept);

}  // namespace parley::store
