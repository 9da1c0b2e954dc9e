// The memory of a model, and when it is taken.
#include "base/block_on.hpp"
#include "engine/llama/decoder.hpp"
#include "engine/llama/engine_for_tests.hpp"
#include "engine/llama/lazy_cache.hpp"
#include "engine/reply_for_tests.hpp"

#include <algorithm>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parley::engine::llama {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t mib = 1 << 20;

std::int64_t resident_bytes()
{
    std::int64_t total = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

std::unique_ptr<Engine> open_with(LlamaOptions options)
{
    options.path = weights_for_tests();
    options.threads = 1;
    auto made = make_llama_engine(std::move(options));
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
}

Prompt long_question(int words)
{
    std::string text;
    for (int i = 0; i < words; ++i) text += "bread ";
    Prompt prompt = asked(text);
    prompt.sampling.max_output_tokens = 2;
    return prompt;
}

TEST(LazyCache, ZeroesAllBytesAndNoOthers)
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (const std::size_t offset : {std::size_t{0}, std::size_t{64}, page - 64})
        for (const std::size_t size : {std::size_t{0}, std::size_t{32}, page, 3 * page + 100}) {
            std::vector<std::byte> bytes(6 * page, std::byte{0xff});
            const auto begin = bytes.begin() + static_cast<long>(page + offset);
            zero_lazily(&*begin, size);
            const auto end = begin + static_cast<long>(size);
            EXPECT_EQ(std::count(begin, end, std::byte{0}), static_cast<long>(size));
            EXPECT_EQ(std::ranges::count(bytes, std::byte{0}), static_cast<long>(size));
        }
}

TEST(Decoder, EndsInTheMiddleOfABatch)
{
    std::atomic<bool> is_ending = false;
    const auto made = Decoder::load({.path = weights_for_tests(),
                                     .context = 512,
                                     .slots = 1,
                                     .available_memory = [] { return std::uint64_t{0}; },
                                     .is_ending = &is_ending});
    ASSERT_TRUE(made);
    Decoder& decoder = **made;
    const auto fill = [&] {
        for (std::size_t i = 0; i < decoder.max_batch(); ++i) decoder.add(0, 1, i, false);
    };
    is_ending = true;
    fill();
    EXPECT_FALSE(decoder.decode());
    is_ending = false;
    fill();
    EXPECT_TRUE(decoder.decode()) << "the slots are empty, not damaged";
}

// All of its 16 slots together would take 2.9 GiB.
TEST(LlamaMemory, IsTakenAsConversationsCome)
{
    const std::int64_t before = resident_bytes();
    const auto engine = open_with({.memory = {.context = 8192, .slots = 16}});
    const Heard answer = block_on(hear(*engine, asked("What is the capital of France?")));
    ASSERT_FALSE(answer.error);
    EXPECT_LT((resident_bytes() - before) / mib, 400);
    const auto said = static_cast<std::int64_t>(engine->memory().value());
    EXPECT_GT(said / mib, 50) << "the weights at least";
    EXPECT_LT(said, resident_bytes());
}

TEST(LlamaMemory, IsGivenBackAfterARest)
{
    const auto engine = open_with({.memory = {.context = 1024, .slots = 2}, .rest_after = 2s});
    block_on(hear(*engine, asked("Hello")));
    const std::int64_t before = resident_bytes();
    Heard heard_of;
    std::int64_t most = 0;
    const auto ask = [&]() -> Task<Heard> {
        const auto reply = (co_await engine->start(long_question(900), {})).value();
        for (bool goes_on = true; goes_on; most = std::max(most, resident_bytes()))
            goes_on = co_await hear_next(*reply, heard_of);
        co_return heard_of;
    };
    block_on(ask());
    ASSERT_FALSE(heard_of.error);
    EXPECT_GT((most - before) / mib, 15) << "900 tokens take 20 MiB";
    const auto told = [&] { return static_cast<std::int64_t>(engine->memory().value()); };
    const std::int64_t told_before = told();
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    const auto is_awake = [&] {
        return resident_bytes() > most - 12 * mib || told() > told_before - 15 * mib;
    };
    while (is_awake() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(10ms);
    EXPECT_LE(resident_bytes(), most - 12 * mib);
    EXPECT_LE(told(), told_before - 15 * mib);
}

// The state of a session is saved before its slot is emptied.
TEST(LlamaMemory, IsGivenBackWithoutLossToSessions)
{
    const auto engine = open_with({.memory = {.context = 512, .slots = 2}, .rest_after = 1ms});
    Prompt prompt = asked("Name three kinds of bread, and say why.");
    prompt.owner = "usr_a";
    prompt.session = "ses_a";
    const Heard first = block_on(hear(*engine, prompt));
    std::this_thread::sleep_for(50ms);  // Time to fall asleep; the test is also valid if the engine
                                        // is still awake.
    prompt.turns.push_back({Speaker::assistant, first.text()});
    prompt.turns.push_back({Speaker::user, "And a fourth?"});
    const Heard next = block_on(hear(*engine, prompt));
    EXPECT_GE(next.finish->usage.cached_input_tokens, first.finish->usage.input_tokens - 4);
    EXPECT_EQ(next.text(), block_on(hear(*open_llama(), prompt)).text())
        << "as if it were read anew";
}

TEST(LlamaMemory, ThatIsShortLetsAnswersWaitForEachOther)
{
    const auto engine =
        open_with({.memory = {.context = 512, .slots = 4}, .available_memory = [] { return 1; }});
    int running = 0;
    int most = 0;
    const auto ask = [&]() -> Task<Heard> {
        Heard heard;
        Prompt prompt = asked("Write a story about a fox.");
        prompt.sampling.max_output_tokens = 12;
        const auto reply = (co_await engine->start(prompt, {})).value();
        bool going_on = co_await hear_next(*reply, heard);
        most = std::max(most, ++running);
        while (going_on) going_on = co_await hear_next(*reply, heard);
        --running;
        co_return heard;
    };
    std::vector<Task<Heard>> tasks;
    for (int i = 0; i < 3; ++i) tasks.push_back(ask());
    for (const Heard& each : block_on_all(std::move(tasks))) EXPECT_FALSE(each.text().empty());
    EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace parley::engine::llama
