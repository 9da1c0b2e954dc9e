// How many tokens a text may take, without the model's tokenizer: rather too many than too few, so
// that what is held to fit does fit. English takes about four bytes to a token, code about three;
// scripts beyond ASCII take two bytes or more to a token.
#pragma once

#include "engine/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace parley::engine::upstream {

class TokenEstimate {
public:
    static constexpr std::int64_t longest_token = 3;  // Bytes.
    static constexpr std::int64_t around_a_turn = 4;

    void add(std::string_view text)
    {
        const auto ascii = std::ranges::count_if(
            text, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
        ascii_ += ascii;
        other_ += static_cast<std::int64_t>(text.size()) - ascii;
    }
    std::int64_t tokens() const { return (2 * ascii_ + 3 * other_ + 5) / 6; }

private:
    std::int64_t ascii_ = 0;
    std::int64_t other_ = 0;
};

// Estimates the tokens that a model has written in this time, if nothing of its answers was read:
// as fast as most servers write, all choices of a request at once. `most`: the maximum of all
// together; 0: not limited, then each has no more than a budget reserves for an answer without a
// maximum.
inline std::int64_t tokens_written_in(std::chrono::nanoseconds time, std::int64_t choices,
                                      std::int64_t most)
{
    constexpr std::chrono::milliseconds per_token{20};
    constexpr std::int64_t usual_reservation = 1024;
    return std::min(choices * (time / per_token + 1),
                    most > 0 ? most : choices * usual_reservation);
}

inline std::int64_t tokens_of_turn(std::string_view text, std::size_t images = 0)
{
    TokenEstimate estimate;
    estimate.add(text);
    return estimate.tokens() + TokenEstimate::around_a_turn +
           static_cast<std::int64_t>(images) * tokens_of_image;
}

}  // namespace parley::engine::upstream
