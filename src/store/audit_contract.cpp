// The contract tests of the audit log.
#include "store/contract_fixture.hpp"

#include <set>

namespace parley::store {
namespace {

class AuditContract : public ContractTest {
protected:
    auto page(std::optional<AuditLog::Position> before, std::size_t limit)
    {
        return block_on(store->audit().list(before, limit)).value();
    }
};

TEST_F(AuditContract, GivesAuditEventsBackAsTheyWere)
{
    const AuditEvent sent = new_event();
    ASSERT_TRUE(block_on(store->audit().append(sent)));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 1U);
    EXPECT_EQ(page.items.at(0), sent);
    EXPECT_EQ(page.next, std::nullopt);
    EXPECT_EQ(block_on(store->audit().find(sent.id)).value(), sent);
    EXPECT_EQ(block_on(store->audit().find("evt_other")).error().code, Errc::not_found);
}

TEST_F(AuditContract, KeepsAndFindsTheLongestNote)
{
    std::string text;  // 1,000 characters of 4 bytes, which cannot be compressed well.
    for (unsigned i = 0, random = 7; i < 4000; ++i, random = random * 1103515245 + 12345)
        text += static_cast<char>(random >> 16);
    const AuditEvent sent = new_event(text);
    ASSERT_TRUE(block_on(store->audit().append(sent)));
    const auto found = block_on(store->audit().list({}, 10, {.target = text})).value();
    EXPECT_EQ(found.items, std::vector{sent});
}

TEST_F(AuditContract, GivesTheEventsThatAFilterWants)
{
    std::vector<AuditEvent> events;
    for (int i = 0; i < 24; ++i) {
        AuditEvent event = new_event(i % 2 == 0 ? "usr_even" : "usr_odd");
        event.actor = i % 3 == 0 ? "usr_a" : "usr_b";
        event.action = i % 4 == 0 ? "user.created" : "login";
        clock.advance(1s);
        ASSERT_TRUE(block_on(store->audit().append(event)));
        events.insert(events.begin(), event);
    }
    const TimePoint middle = events[12].at;
    const std::vector<AuditFilter> filters = {
        {},
        {.actor = "usr_a"},
        {.action = "login"},
        {.target = "usr_odd"},
        {.since = middle},
        {.before = middle},
        {.actor = "usr_b", .action = "login", .target = "usr_odd"},
        {.actor = "usr_a", .since = middle},
        {.action = "user.created", .before = middle},
        {.target = "usr_even", .since = events[20].at, .before = events[3].at},
        {.actor = "usr"},
        {.action = "login", .target = "usr_none"}};
    for (const AuditFilter& filter : filters) {
        std::vector<AuditEvent> wanted;
        for (const AuditEvent& each : events)
            if (filter.actor.value_or(each.actor) == each.actor &&
                filter.action.value_or(each.action) == each.action &&
                filter.target.value_or(each.target) == each.target &&
                filter.since.value_or(each.at) <= each.at &&
                (!filter.before || each.at < *filter.before))
                wanted.push_back(each);
        std::vector<AuditEvent> seen;
        for (std::optional<AuditLog::Position> before;;) {
            const auto part = block_on(store->audit().list(before, 3, filter)).value();
            seen.insert(seen.end(), part.items.begin(), part.items.end());
            before = part.next;
            if (!before) break;
        }
        EXPECT_EQ(seen, wanted);
    }
}

TEST_F(AuditContract, KeepsEveryByteOfATextAsItWas)
{
    for (const std::string& nasty :
         {""s, "a\0b"s, "'; DROP TABLE audit; --"s, "\u2028\U0001F600"s, std::string(100'000, 'x')})
        ASSERT_TRUE(block_on(store->audit().append(new_event(nasty))));
    const auto page = this->page(std::nullopt, 10);
    ASSERT_EQ(page.items.size(), 5U);
    EXPECT_EQ(page.items.at(0).target, std::string(100'000, 'x'));
    EXPECT_EQ(page.items.at(1).target, "\u2028\U0001F600");
    EXPECT_EQ(page.items.at(2).target, "'; DROP TABLE audit; --");
    EXPECT_EQ(page.items.at(3).target, "a\0b"s);
    EXPECT_EQ(page.items.at(4).target, "");
}

TEST_F(AuditContract, ListsAuditEventsNewestFirstPageByPage)
{
    for (int i = 0; i < 7; ++i)
        ASSERT_TRUE(block_on(store->audit().append(new_event(std::to_string(i)))));
    std::string seen;
    std::optional<AuditLog::Position> before;
    for (int pages = 1;; ++pages) {
        const auto page = this->page(before, 3);
        for (const AuditEvent& event : page.items) seen += event.target;
        // An event that is stored while pages are read neither repeats nor hides anything.
        ASSERT_TRUE(block_on(store->audit().append(new_event("new"))));
        before = page.next;
        if (!before) {
            EXPECT_EQ(pages, 3);
            break;
        }
    }
    EXPECT_EQ(seen, "6543210");
}

TEST_F(AuditContract, TellsThatAListEndsWithAFullPage)
{
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(block_on(store->audit().append(new_event())));
    EXPECT_EQ(page(std::nullopt, 4).next, std::nullopt);
    const auto half = page(std::nullopt, 2);
    ASSERT_TRUE(half.next);
    EXPECT_EQ(page(half.next, 2).next, std::nullopt);
    EXPECT_TRUE(page(-1, 2).items.empty());
}

TEST_F(AuditContract, RefusesAnEventThatIsThereAndGoesOn)
{
    const AuditEvent first = new_event("first");
    ASSERT_TRUE(block_on(store->audit().append(first)));
    AuditEvent twin = first;
    twin.target = "twin";
    EXPECT_EQ(block_on(store->audit().append(twin)).error().code, Errc::conflict);
    ASSERT_TRUE(block_on(store->audit().append(new_event("second"))));
    EXPECT_EQ(page(std::nullopt, 10).items.size(), 2U);
    EXPECT_EQ(page(std::nullopt, 10).items.at(1).target, "first");
}

TEST_F(AuditContract, TakesWritesOfManyAtOnceAndLosesNone)
{
    constexpr int writers = 200;
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < writers; ++i)
        tasks.push_back(store->audit().append(new_event(std::to_string(i))));
    // One of them cannot be: it must not take the others of its commit down with it.
    AuditEvent twin = new_event("twin");
    ASSERT_TRUE(block_on(store->audit().append(twin)));
    tasks.push_back(store->audit().append(twin));

    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }),
              writers);
    EXPECT_EQ(results.back().error().code, Errc::conflict);
    std::set<std::string> targets;
    for (const AuditEvent& each : page(std::nullopt, 1000).items) targets.insert(each.target);
    EXPECT_EQ(targets.size(), writers + 1U);
}

TEST_F(AuditContract, KeepsWhatItSaidItKept)
{
    if (!keeps()) return;
    const AuditEvent sent = new_event();
    ASSERT_TRUE(block_on(store->audit().append(sent)));
    reopen();
    ASSERT_EQ(page(std::nullopt, 10).items.size(), 1U);
    EXPECT_EQ(page(std::nullopt, 10).items.at(0), sent);
    EXPECT_TRUE(store->can_write());
}

}  // namespace
}  // namespace parley::store
