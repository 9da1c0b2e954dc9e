#include "http/client/resolver.hpp"

#include "http/client/blocking.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

namespace parley::http::client {
namespace {

using namespace std::chrono_literals;

const Addresses somewhere{boost::asio::ip::make_address("192.0.2.1")};

// A name server that answers only when it is told to.
class SlowNames {
public:
    Addresses look_up(const std::string& name)
    {
        std::unique_lock lock(mutex_);
        ++lookups;
        if (name.starts_with("slow")) released_.wait(lock, [this] { return open_; });
        return somewhere;
    }
    void release()
    {
        const std::lock_guard lock(mutex_);
        open_ = true;
        released_.notify_all();
    }
    std::atomic<int> lookups = 0;

private:
    std::mutex mutex_;
    std::condition_variable released_;
    bool open_ = false;
};

class ResolverTest : public testing::Test {
protected:
    // Look-ups may outlive the resolver.
    Resolver::Lookup lookup() const
    {
        return [names = names_](const std::string& name) { return names->look_up(name); };
    }
    std::future<Addresses> ask(Resolver& resolver, const std::string& name)
    {
        auto promise = std::make_shared<std::promise<Addresses>>();
        auto future = promise->get_future();
        resolver.resolve(name, [promise](const Addresses& found) { promise->set_value(found); });
        return future;
    }
    ~ResolverTest() override { names_->release(); }

    const std::shared_ptr<SlowNames> names_ = std::make_shared<SlowNames>();
};

TEST_F(ResolverTest, NamesThatTakeLongDoNotDelayOthers)
{
    Resolver resolver({}, lookup());
    std::vector<std::future<Addresses>> slow;
    for (int i = 0; i < 100; ++i) slow.push_back(ask(resolver, "slow" + std::to_string(i)));
    EXPECT_EQ(ask(resolver, "quick").get(), somewhere);
    EXPECT_EQ(slow.front().wait_for(0s), std::future_status::timeout);
    names_->release();
    for (auto& each : slow) EXPECT_EQ(each.get(), somewhere);
}

TEST_F(ResolverTest, LooksOneNameUpOnceForAll)
{
    Resolver resolver({}, lookup());
    std::vector<std::future<Addresses>> all;
    for (int i = 0; i < 50; ++i) all.push_back(ask(resolver, "slow"));
    names_->release();
    for (auto& each : all) EXPECT_EQ(each.get(), somewhere);
    EXPECT_EQ(names_->lookups, 1);
    EXPECT_EQ(ask(resolver, "slow").get(), somewhere);
    EXPECT_EQ(names_->lookups, 2);  // Nothing is cached: the name server decides how long.
}

TEST_F(ResolverTest, IsBounded)
{
    Resolver resolver({.max_threads = 2, .max_waiting = 3}, lookup());
    std::vector<std::future<Addresses>> all;
    for (int i = 0; i < 3; ++i) all.push_back(ask(resolver, "slow" + std::to_string(i)));
    EXPECT_LE(resolver.threads(), 2U);
    EXPECT_TRUE(ask(resolver, "one too many").get().empty());
    names_->release();
    for (auto& each : all) EXPECT_EQ(each.get(), somewhere);
}

TEST_F(ResolverTest, CallsNothingOnceItIsGone)
{
    auto resolver = std::make_unique<Resolver>(Resolver::Options{}, lookup());
    auto never = ask(*resolver, "slow");
    resolver.reset();
    EXPECT_THROW(never.get(), std::future_error);  // The callback was destroyed.
}

TEST_F(ResolverTest, WaitsOnlySoLong)
{
    BlockingClient loop;  // Outlives the callbacks of the resolver.
    Resolver resolver({}, lookup());
    const auto found = [&](const std::string& name, std::chrono::milliseconds patience) {
        return loop.run([&](Client&) { return resolve_within(resolver, name, patience); });
    };
    EXPECT_TRUE(found("slow", 20ms).empty());
    EXPECT_EQ(found("quick", 20s), somewhere);
}

TEST(SystemLookup, FindsThisMachineAndNothingElse)
{
    const Addresses found = Resolver::system_lookup("localhost");
    ASSERT_FALSE(found.empty());
    for (const auto& each : found) EXPECT_TRUE(each.is_loopback()) << each;
    EXPECT_TRUE(Resolver::system_lookup("does-not-exist.invalid").empty());
}

}  // namespace
}  // namespace parley::http::client
