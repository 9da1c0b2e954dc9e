#include "engine/gguf/memory_need.hpp"

#include <algorithm>
#include <limits>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t usual_context = 8192;
constexpr std::uint64_t bytes_per_cached_number = 2;  // f16
constexpr std::uint64_t tokens_per_step = 256;
constexpr std::uint64_t layers_wide = 16;  // Intermediate results that exist at the same time.
constexpr std::uint64_t mib = 1U << 20U;
constexpr std::uint64_t answers_per_step = 16;
constexpr std::uint64_t program = 32 * mib;

// The text of a token and its entries in two tables, once for prefill and once for decoding.
constexpr std::uint64_t bytes_per_word = 768;

std::string in_mib(std::uint64_t bytes) { return std::to_string(bytes / mib) + " MiB"; }

// The maximum if the product overflows.
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

std::uint64_t MemoryNeed::with(std::uint64_t conversations) const
{
    return at_rest + times(per_conversation, conversations);
}

MemoryNeed memory_need(const Facts& facts, std::uint64_t context)
{
    const std::uint64_t step =
        sizeof(float) * (times(tokens_per_step * layers_wide, facts.embedding) +
                         times(answers_per_step, facts.vocabulary));
    return {
        .at_rest = facts.tensor_bytes + step + times(bytes_per_word, facts.vocabulary) + program,
        .per_conversation = times(facts.cache_per_token * bytes_per_cached_number, context)};
}

Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available)
{
    const std::uint64_t context = context_of(facts, wish.context);
    const std::uint64_t slots = std::max<std::uint64_t>(1, wish.slots);
    const std::uint64_t need = memory_need(facts, context).with(slots) + wish.cache;
    if (need <= available) return need;
    const std::string each = slots > 1 ? " in each of " + std::to_string(slots) + " slots" : "";
    const std::string kept = wish.cache > 0 ? ", " + in_mib(wish.cache) + " of it as cache" : "";
    return Error{Errc::model_unavailable, "It needs " + in_mib(need) +
                                              " of memory with a context of " +
                                              std::to_string(context) + " tokens" + each + kept +
                                              ", and " + in_mib(available) + " are available."};
}

}  // namespace parley::engine::gguf
