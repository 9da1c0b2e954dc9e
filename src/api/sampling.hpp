// Converts the sampling fields of both APIs to the parameters of an engine.
#pragma once

#include "api/wire/sampling.hpp"
#include "engine/engine.hpp"

#include <cstdlib>
#include <optional>

namespace parley::api {

inline void put(const SamplingFields& fields, engine::Sampling& sampling)
{
    sampling.top_k = fields.top_k;
    sampling.min_p = fields.min_p;
    sampling.repeat_penalty = fields.repeat_penalty;
    sampling.presence_penalty = fields.presence_penalty;
    sampling.frequency_penalty = fields.frequency_penalty;
}

inline void put_logit_bias(const std::optional<LogitBias>& given, engine::Sampling& sampling)
{
    if (!given) return;
    for (const auto& [token, bias] : *given)
        sampling.logit_bias.emplace(std::strtoll(token.c_str(), nullptr, 10), bias);
}

}  // namespace parley::api
