// Sampling parameters: the same fields and limits in both APIs.
#pragma once

#include "fields/fields.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace parley::api {

struct SamplingFields {
    std::optional<std::int64_t> top_k;
    std::optional<double> min_p;
    std::optional<double> repeat_penalty;
    std::optional<double> presence_penalty;
    std::optional<double> frequency_penalty;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = SamplingFields;
        return std::tuple(
            field("top_k", &This::top_k, "Sample from the k most likely tokens. 0: all.",
                  range(0, 100'000), example(40)),
            field("min_p", &This::min_p,
                  "Sample from tokens with at least this share of the highest probability.",
                  range(0, 1), example(0.05)),
            field("repeat_penalty", &This::repeat_penalty,
                  "Penalty for repeating one of the last 64 tokens of the answer. 1: off.",
                  range(0.5, 2), example(1.1)),
            field("presence_penalty", &This::presence_penalty,
                  "Penalty for tokens that the answer already has. Below 0: a bonus.", range(-2, 2),
                  example(0)),
            field("frequency_penalty", &This::frequency_penalty,
                  "Penalty for each occurrence of a token in the answer. Below 0: a bonus.",
                  range(-2, 2), example(0)));
    }
};

// The number of a token, as a key.
struct TokenNumber {
    void check(std::string_view key, const fields::FieldPath& at) const;
    void describe(boost::json::object& schema) const { schema["pattern"] = "^[0-9]{1,10}$"; }
};

using LogitBias = std::map<std::string, double>;

// The field `logit_bias` of a body; the Responses API does not have it.
template <class Body, class... Rules>
constexpr auto logit_bias_field(Rules... more)
{
    using namespace fields;
    return field("logit_bias", &Body::logit_bias,
                 "Makes tokens, by their number in the model's vocabulary, more or less likely; "
                 "unknown numbers are ignored.",
                 length(0, 1024), keys(TokenNumber()), each(range(-100, 100)), more...);
}

}  // namespace parley::api
