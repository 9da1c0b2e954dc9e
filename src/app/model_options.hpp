// One model that a server offers. An engine uses the options that are for it.
#pragma once

#include "engine/llama/llama_engine.hpp"
#include "engine/upstream/upstream_engine.hpp"

#include <cstdint>
#include <string>

namespace parley::app {

struct ModelSettings {
    std::string engine = "auto";
    bool listed = true;
    std::int64_t context = 0;  // In tokens; 0: the engine's own.
    engine::llama::LlamaOptions llama = {};
    // Of upstream: lists in one text, see upstream_settings.hpp.
    std::string base_url = {};
    std::string upstream_model = {};
    std::string api_key_file = {};
    std::string api_key_variable = {};
    bool allow_plain_http = false;
    engine::upstream::UpstreamTimes times = {};
};

}  // namespace parley::app
