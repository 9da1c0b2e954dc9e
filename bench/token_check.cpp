// The time to authenticate a caller by a known token (limit: 2 µs), and to refuse one with a wrong
// checksum.
//
//   tools/build release bench_token_check && build/release/bench_token_check
#include "auth/personal_tokens.hpp"
#include "base/block_on.hpp"
#include "store/sqlite/memory_store.hpp"

#include <benchmark/benchmark.h>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace parley;

// An authenticator that has seen a thousand tokens.
struct Bench {
    Bench()
    {
        block_on(store->accounts().add_user({.id = "usr_1",
                                             .username = "ana",
                                             .name_key = "ana",
                                             .display_name = "Ana",
                                             .created_at = {}}))
            .value();
        const auto caller = std::make_shared<auth::Caller>(auth::Caller{
            .actor = "bench", .scopes = {auth::Scope::chat_read, auth::Scope::chat_write}});
        const OwnLimits limits{30, 100, 20};
        auth::PersonalTokens tokens(*store, authenticator, time, limits);
        for (int i = 0; i < 1000; ++i) {
            const auto made = block_on(tokens.make(caller, "usr_1", {.name = "t"}, {})).value();
            known.emplace_back(made.text.reveal());
            block_on(authenticator.identify(known.back()).wait()).value();
        }
    }

    std::unique_ptr<store::Store> store = store::make_memory_store();
    TrustedTime time{system_clock(), "boot"};
    auth::TokenAuthenticator authenticator{store->tokens(), time};
    std::vector<std::string> known;
};

Bench& bench()
{
    static Bench made;
    return made;
}

void one_known_token(benchmark::State& state)
{
    const std::string token = bench().known.front();
    for (auto _ : state)
        if (!bench().authenticator.identify(token).is_ready()) state.SkipWithError("not cached");
}

void thousand_known_tokens(benchmark::State& state)
{
    const auto& tokens = bench().known;
    std::size_t next = static_cast<std::size_t>(state.thread_index()) * tokens.size() / 2;
    for (auto _ : state) {
        if (!bench().authenticator.identify(tokens[next]).is_ready())
            state.SkipWithError("not cached");
        next = next + 1 == tokens.size() ? 0 : next + 1;
    }
}

void wrong_checksum(benchmark::State& state)
{
    std::string token = bench().known.front();
    token.back() = token.back() == 'a' ? 'b' : 'a';
    for (auto _ : state)
        if (bench().authenticator.identify(token).take()) state.SkipWithError("identified");
}

BENCHMARK(one_known_token);
BENCHMARK(thousand_known_tokens)->ThreadRange(1, 2);
BENCHMARK(wrong_checksum);

}  // namespace

BENCHMARK_MAIN();
