// How many tokens a text may take, without the model's tokenizer: rather too many than too few, so
// that what is held to fit does fit. English takes about four bytes to a token, code about three;
// scripts beyond ASCII take two bytes or more to a token.
#pragma once

#include "engine/engine.hpp"

#include <algorithm>
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

inline std::int64_t tokens_of_turn(std::string_view text, std::size_t images = 0)
{
    TokenEstimate estimate;
    estimate.add(text);
    return estimate.tokens() + TokenEstimate::around_a_turn +
           static_cast<std::int64_t>(images) * tokens_of_image;
}

}  // namespace parley::engine::upstream
