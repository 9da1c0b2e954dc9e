#include "api/log_turns.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace parley::api {
namespace {

class TakingTurns : public ::testing::Test {
protected:
    // Takes a turn, and keeps it until end() with the same name.
    void begin(const std::string& name, const Owner& owner)
    {
        const auto take = [](TakingTurns& test, std::string its_name, Owner its_owner) -> Task<> {
            test.held.emplace(its_name, co_await test.turns.take(std::move(its_owner)));
            test.order.push_back(std::move(its_name));
        };
        boost::asio::co_spawn(loop, take(*this, name, owner), boost::asio::detached);
        run();
    }
    void end(const std::string& name)
    {
        held.erase(name);
        run();
    }
    void run()
    {
        loop.restart();
        loop.poll();
    }

    boost::asio::io_context loop;
    LogTurns turns;
    std::map<std::string, LogTurns::Turn> held;
    std::vector<std::string> order;
    const Owner ana{"usr_ana", false};
    const Owner bob{"usr_bob", false};
};

using Names = std::vector<std::string>;

TEST_F(TakingTurns, OneOfAnOwnerAtATimeInOrder)
{
    begin("first", ana);
    begin("second", ana);
    begin("third", ana);
    EXPECT_EQ(order, (Names{"first"}));
    end("first");
    EXPECT_EQ(order, (Names{"first", "second"}));
    end("second");
    end("third");
    EXPECT_EQ(order, (Names{"first", "second", "third"}));
}

TEST_F(TakingTurns, OwnersDoNotWaitForEachOther)
{
    begin("ana's", ana);
    begin("bob's", bob);
    begin("ana's test", {ana.user, true});
    EXPECT_EQ(order, (Names{"ana's", "bob's", "ana's test"}));
}

TEST_F(TakingTurns, ATurnIsFreeOnceAllHaveEnded)
{
    begin("first", ana);
    end("first");
    begin("second", ana);
    EXPECT_EQ(order, (Names{"first", "second"}));
}

}  // namespace
}  // namespace parley::api
