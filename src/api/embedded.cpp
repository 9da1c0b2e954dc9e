#include "api/embedded.hpp"

#include <array>

// The assembler puts a file between two symbols, as it is: a compiler would need minutes, and
// gigabytes, for 3 MB written as numbers.
#define PARLEY_EMBED(symbol, file)                                                               \
    __asm__(".pushsection .rodata\n.global " #symbol "_begin\n.global " #symbol "_end\n" #symbol \
            "_begin:\n.incbin \"" file "\"\n" #symbol                                            \
            "_end:\n.byte 0\n"                                                                   \
            ".popsection\n");                                                                    \
    extern "C" const char symbol##_begin[], symbol##_end[]  // NOLINT

PARLEY_EMBED(parley_first_call, PARLEY_GUIDES "/first-call.md");
PARLEY_EMBED(parley_logging_in, PARLEY_GUIDES "/logging-in.md");
PARLEY_EMBED(parley_streaming, PARLEY_GUIDES "/streaming.md");
PARLEY_EMBED(parley_errors, PARLEY_GUIDES "/errors.md");
PARLEY_EMBED(parley_limits, PARLEY_GUIDES "/limits.md");
PARLEY_EMBED(parley_idempotency, PARLEY_GUIDES "/idempotency.md");
PARLEY_EMBED(parley_rehearsing, PARLEY_GUIDES "/rehearsing.md");
PARLEY_EMBED(parley_openai, PARLEY_GUIDES "/openai.md");
PARLEY_EMBED(parley_production, PARLEY_GUIDES "/production.md");
#ifdef PARLEY_SCALAR_FILE
PARLEY_EMBED(parley_scalar, PARLEY_SCALAR_FILE);
#endif

namespace parley::api {
namespace {

std::string_view between(const char* begin, const char* end)
{
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const Guide> guides()
{
    static const std::array all = {
        Guide{"first-call", between(parley_first_call_begin, parley_first_call_end)},
        Guide{"logging-in", between(parley_logging_in_begin, parley_logging_in_end)},
        Guide{"streaming", between(parley_streaming_begin, parley_streaming_end)},
        Guide{"errors", between(parley_errors_begin, parley_errors_end)},
        Guide{"limits", between(parley_limits_begin, parley_limits_end)},
        Guide{"idempotency", between(parley_idempotency_begin, parley_idempotency_end)},
        Guide{"rehearsing", between(parley_rehearsing_begin, parley_rehearsing_end)},
        Guide{"openai", between(parley_openai_begin, parley_openai_end)},
        Guide{"production", between(parley_production_begin, parley_production_end)},
    };
    return all;
}

std::string_view reference_script()
{
#ifdef PARLEY_SCALAR_FILE
    return between(parley_scalar_begin, parley_scalar_end);
#else
    return {};
#endif
}

}  // namespace parley::api
