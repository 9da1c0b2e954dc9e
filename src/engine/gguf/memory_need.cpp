#include "engine/gguf/memory_need.hpp"

#include <algorithm>
#include <limits>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t usual_context = 8192;
constexpr std::uint64_t usual_embedded = 2048;
constexpr std::uint64_t least_embedded_per_batch = 512;
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

MemoryNeed embedding_need(const Facts& facts, std::uint64_t context)
{
    const std::uint64_t batch = embedded_per_batch(context);
    const std::uint64_t step = embedded_per_step(facts, context);
    // Which token may see which one is a number for each pair. A language model also computes the
    // probabilities of all tokens, which are written to a second place.
    const std::uint64_t predicted = facts.is_encoder ? 0 : times(2 * step, facts.vocabulary);
    const std::uint64_t numbers =
        times(step * layers_wide, facts.embedding) + times(step, 2 * batch) + predicted;
    return {.at_rest = facts.tensor_bytes + times(sizeof(float), numbers) +
                       times(facts.cache_per_token * bytes_per_cached_number, batch) +
                       times(bytes_per_word, facts.vocabulary) + program};
}

}  // namespace

std::uint64_t context_of(const Facts& facts, std::uint64_t wanted)
{
    const std::uint64_t usual = facts.embeds ? usual_embedded : usual_context;
    return std::min(facts.context, wanted > 0 ? wanted : usual);
}

std::uint64_t embedded_per_batch(std::uint64_t context)
{
    return std::max(context, least_embedded_per_batch);
}

std::uint64_t embedded_per_step(const Facts& facts, std::uint64_t context)
{
    return facts.embeds_in_steps ? tokens_per_step : embedded_per_batch(context);
}

std::uint64_t MemoryNeed::with(std::uint64_t conversations) const
{
    return at_rest + times(per_conversation, conversations);
}

MemoryNeed memory_need(const Facts& facts, std::uint64_t context)
{
    if (facts.embeds) return embedding_need(facts, context);
    const std::uint64_t step =
        sizeof(float) * (times(tokens_per_step * layers_wide, facts.embedding) +
                         times(answers_per_step, facts.vocabulary));
    return {
        .at_rest = facts.tensor_bytes + step + times(bytes_per_word, facts.vocabulary) + program,
        .per_conversation = times(facts.cache_per_token * bytes_per_cached_number, context)};
}

Result<std::uint64_t> check_need(const MemoryNeed& need, std::uint64_t context, const Wish& wish,
                                 std::uint64_t available)
{
    const std::uint64_t slots = std::max<std::uint64_t>(1, wish.slots);
    const std::uint64_t bytes = need.with(slots) + wish.cache;
    if (bytes <= available) return bytes;
    const std::string each = slots > 1 ? " in each of " + std::to_string(slots) + " slots" : "";
    const std::string kept = wish.cache > 0 ? ", " + in_mib(wish.cache) + " of it as cache" : "";
    return Error{Errc::model_unavailable, "It needs " + in_mib(bytes) +
                                              " of memory with a context of " +
                                              std::to_string(context) + " tokens" + each + kept +
                                              ", and " + in_mib(available) + " are available."};
}

Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available)
{
    const std::uint64_t context = context_of(facts, wish.context);
    return check_need(memory_need(facts, context), context, wish, available);
}

}  // namespace parley::engine::gguf
