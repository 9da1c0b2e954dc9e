// Reads replies of engines in tests, and checks that each piece is well-formed.
#pragma once

#include "base/timer.hpp"
#include "base/utf8.hpp"
#include "engine/engine.hpp"

#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::engine {

using namespace std::chrono_literals;

inline Task<> pause(std::chrono::milliseconds time)
{
    Timer timer(co_await boost::asio::this_coro::executor, time);
    co_await timer.async_wait(awaiting);
}

// All output of a reply, to its end.
struct Heard {
    std::vector<std::string> deltas = {};
    std::optional<Finish> finish = {};
    std::optional<Error> error = {};
    std::optional<Usage> used = {};  // As reported after the end.

    std::string text() const { return text_of(deltas.size()); }
    std::string text_of(std::size_t count) const
    {
        std::string joined;
        for (std::size_t i = 0; i < count; ++i) joined += deltas[i];
        return joined;
    }
};

// Reads and checks the next piece. False: it was the last one.
inline Task<bool> hear_next(Reply& reply, Heard& heard)
{
    const auto written = co_await reply.next();
    if (!written) {
        heard.error = written.error();
        co_return false;
    }
    EXPECT_TRUE(written->finish || !written->deltas.empty());
    for (const std::string& delta : written->deltas) {
        EXPECT_FALSE(delta.empty());
        EXPECT_TRUE(utf8::valid(delta));
        heard.deltas.push_back(delta);
    }
    heard.finish = written->finish;
    co_return !heard.finish;
}

inline Task<Heard> hear(Engine& engine, Prompt prompt, std::string so_far = {},
                        std::chrono::milliseconds between = 0ms)
{
    Heard heard;
    auto reply = co_await engine.start(std::move(prompt), std::move(so_far));
    if (!reply) {
        heard.error = reply.error();
        co_return heard;
    }
    while (co_await hear_next(**reply, heard))
        if (between > 0ms) co_await pause(between);
    heard.used = (*reply)->used();
    co_return heard;
}

}  // namespace parley::engine
