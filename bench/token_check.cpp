// How long it takes to tell a caller by a token that was seen before (bar: 2 µs), and to refuse one
// with a wrong checksum. Build and run, after `make build`:
//
//   cd build/release && clang++-19 -std=c++20 -O2 -DNDEBUG -DBOOST_ASIO_SEPARATE_COMPILATION \
//       -DBOOST_ASIO_NO_DEPRECATED -I../../src ../../bench/token_check.cpp src/libroom_auth.a \
//       src/libroom_store_memory.a src/libroom_base.a -lsodium -lutf8proc -lzxcvbn -lz -lfmt \
//       -lboost_json -lboost_container -lpthread -o token_check && ./token_check
#include "auth/personal_tokens.hpp"
#include "base/run.hpp"
#include "store/memory/memory_store.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

using namespace parley;

namespace {

double thread_ns()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// The median of nine rounds, in nanoseconds of this thread's processor time per call.
template <class Work>
double measure(Work work)
{
    constexpr int calls = 200'000;
    std::vector<double> rounds;
    for (int round = 0; round < 9; ++round) {
        const double begun = thread_ns();
        for (int i = 0; i < calls; ++i) work(i);
        rounds.push_back((thread_ns() - begun) / calls);
    }
    std::nth_element(rounds.begin(), rounds.begin() + 4, rounds.end());
    return rounds[4];
}

}  // namespace

int main()
{
    const auto store = store::make_memory_store();
    auth::TokenGate gate(store->tokens(), system_clock());
    run(store->accounts().add_user({.id = "usr_1",
                                    .username = "ana",
                                    .name_key = "ana",
                                    .display_name = "Ana",
                                    .created_at = {}}))
        .value();
    const auto caller = std::make_shared<auth::Caller>(auth::Caller{
        .actor = "bench", .scopes = {auth::Scope::chat_read, auth::Scope::chat_write}});
    auth::PersonalTokens tokens(*store, gate, system_clock());
    std::vector<std::string> known;
    for (int i = 0; i < 1000; ++i) {
        const auto made = run(tokens.make(caller, "usr_1", {.name = "t"}, {})).value();
        known.emplace_back(made.text.reveal());
        run(gate.identify(known.back())).value();
    }
    std::string wrong = known.front();
    wrong.back() = wrong.back() == 'a' ? 'b' : 'a';

    std::size_t found = 0;
    std::printf("known, one token      %6.0f ns\n",
                measure([&](int) { found += gate.recall(known.front()) != nullptr; }));
    std::printf("known, 1,000 tokens   %6.0f ns\n", measure([&](int i) {
                    found +=
                        gate.recall(known[static_cast<std::size_t>(i) % known.size()]) != nullptr;
                }));
    std::printf("wrong checksum        %6.0f ns\n",
                measure([&](int) { found += gate.recall(wrong) != nullptr; }));
    std::printf("(%zu found)\n", found);
}
