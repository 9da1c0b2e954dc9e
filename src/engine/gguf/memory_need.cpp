#include "engine/gguf/memory_need.hpp"

#include <algorithm>
#include <limits>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t usual_context = 8192;
constexpr std::uint64_t bytes_per_cached_number = 2;  // f16
constexpr std::uint64_t tokens_per_step = 256;
constexpr std::uint64_t layers_wide = 16;  // Intermediate results that live at the same time.
constexpr std::uint64_t mib = 1U << 20U;
constexpr std::uint64_t others = 64 * mib;

std::string in_mib(std::uint64_t bytes) { return std::to_string(bytes / mib) + " MiB"; }

// As much as can be, where the product is more than that.
std::uint64_t times(std::uint64_t one, std::uint64_t other)
{
    constexpr auto most = std::numeric_limits<std::uint64_t>::max() / 4;
    return one != 0 && other > most / one ? most : one * other;
}

}  // namespace

std::uint64_t context_of(const Facts& facts, std::uint64_t wanted)
{
    return std::min(facts.context, wanted > 0 ? wanted : usual_context);
}

std::uint64_t memory_need(const Facts& facts, std::uint64_t context, std::uint64_t slots)
{
    const std::uint64_t cache =
        times(times(facts.cache_per_token * bytes_per_cached_number, context), slots);
    const std::uint64_t step =
        tokens_per_step * sizeof(float) * (facts.vocabulary + layers_wide * facts.embedding);
    // Each head weighs all that was read before, for each token.
    const std::uint64_t weighed =
        times(times(tokens_per_step * sizeof(float), facts.heads), context);
    return facts.tensor_bytes + cache + step + weighed + others;
}

Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available)
{
    const std::uint64_t context = context_of(facts, wish.context);
    const std::uint64_t slots = std::max<std::uint64_t>(1, wish.slots);
    const std::uint64_t need = memory_need(facts, context, slots) + wish.cache;
    if (need <= available) return need;
    const std::string each = slots > 1 ? " in each of " + std::to_string(slots) + " slots" : "";
    const std::string kept = wish.cache > 0 ? ", " + in_mib(wish.cache) + " of it as cache" : "";
    return Error{Errc::model_unavailable, "It needs " + in_mib(need) +
                                              " of memory with a context of " +
                                              std::to_string(context) + " tokens" + each + kept +
                                              ", and " + in_mib(available) + " are available."};
}

}  // namespace parley::engine::gguf
