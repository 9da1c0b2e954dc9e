#include "api/body_thread.hpp"

#include <gtest/gtest.h>

#include <future>
#include <optional>

namespace parley::api {

class BodyThreadTest : public testing::Test {
protected:
    // The thread does nothing until `go` is set.
    void stop_thread(std::shared_future<void> go)
    {
        boost::asio::post(bodies.pool_, [go = std::move(go)] { go.wait(); });
    }

    // Runs until the body is parsed, or until nothing more can happen on the loop for now.
    void start(const std::string& text, std::optional<Result<boost::json::value>>& parsed)
    {
        boost::asio::co_spawn(
            loop,
            [this, &text, &parsed]() -> Task<> {
                auto result = co_await bodies.parse(text);
                parsed = std::move(result);
            },
            [](const std::exception_ptr& failure) { EXPECT_FALSE(failure); });
        loop.restart();
        loop.poll();
    }

    boost::asio::io_context loop;
    BodyThread bodies;
};

namespace {

std::string list_of(std::size_t bytes) { return '[' + std::string(bytes - 2, ' ') + ']'; }

TEST_F(BodyThreadTest, ParsesLargeBodiesBesideTheLoop)
{
    std::promise<void> go;
    stop_thread(go.get_future().share());
    const std::string small = list_of(BodyThread::small_bytes);
    const std::string large = list_of(BodyThread::small_bytes + 1);
    std::optional<Result<boost::json::value>> of_large;
    std::optional<Result<boost::json::value>> of_small;
    start(large, of_large);
    EXPECT_FALSE(of_large) << "it waits for the thread";
    start(small, of_small);
    ASSERT_TRUE(of_small) << "the loop is free";
    EXPECT_TRUE(*of_small);
    go.set_value();
    loop.restart();
    loop.run();
    ASSERT_TRUE(of_large);
    EXPECT_TRUE(*of_large);
}

TEST_F(BodyThreadTest, TellsFaultsOfLargeBodies)
{
    const std::string large = list_of(BodyThread::small_bytes + 1) + '!';
    std::optional<Result<boost::json::value>> parsed;
    start(large, parsed);
    loop.restart();
    loop.run();
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->error().code, Errc::invalid_json);
}

}  // namespace
}  // namespace parley::api
