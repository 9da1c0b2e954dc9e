#include "automation/due_rows.hpp"

#include "automation/yield.hpp"
#include "chat/chat_for_tests.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class DueRowsTest : public testing::Test {
protected:
    // Makes rows, and counts how often another task of the same loop runs meanwhile.
    Task<int> turns_of_another(int count)
    {
        using namespace boost::asio::experimental::awaitable_operators;
        co_await (make(count) && count_turns());
        co_return turns;
    }
    Task<> make(int count)
    {
        api::AutomationDefinition fields;
        fields.name = "Digest";
        fields.message = "hello";
        const Definition definition =
            Definition::make(std::move(fields), schedule::Zones::none(), 300s).value();
        std::vector<DueTime> times;
        for (int i = 0; i < count; ++i) times.push_back({.at = now + std::chrono::minutes(i)});
        const store::Automation automation{.id = "aut_1"};
        rows = co_await rows_of(definition, automation, times, now, errors);
        is_made = true;
    }
    Task<> count_turns()
    {
        for (; !is_made; ++turns) co_await yield();
    }

    const TimePoint now = ManualClock().now();
    const chat::PlainErrors errors;
    std::vector<store::AutomationRun> rows;
    bool is_made = false;
    int turns = 0;
};

TEST_F(DueRowsTest, AreMadeSomeAtATime)
{
    EXPECT_GE(block_on(turns_of_another(100)), 4);
    ASSERT_EQ(rows.size(), 100U);
    EXPECT_EQ(rows.back().scheduled_for, now + 99min);
    EXPECT_EQ(rows.back().automation, "aut_1");
    EXPECT_FALSE(rows.back().values.empty());
}

}  // namespace
}  // namespace parley::automation
