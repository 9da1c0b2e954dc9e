// A token of a model's vocabulary, by its number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parley::engine::llama {

using Token = std::int32_t;
using Tokens = std::vector<Token>;

// How many tokens two texts have in common at their beginning.
inline std::size_t common_prefix(std::span<const Token> one, std::span<const Token> other)
{
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

}  // namespace parley::engine::llama
