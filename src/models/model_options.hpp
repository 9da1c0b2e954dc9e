// The models that a server offers. Each engine uses the options that are for it.
#pragma once

#include "engine/llama/llama_engine.hpp"
#include "engine/upstream/upstream_engine.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace parley::models {

struct ModelOptions {
    std::string engine = "auto";
    bool listed = true;
    std::int64_t context = 0;  // In tokens; 0: the engine's own.
    engine::llama::LlamaOptions llama = {};
    // The options of upstream models: lists in one text, see upstream_options.hpp.
    std::string base_url = {};
    std::string upstream_model = {};
    std::string api_key_file = {};
    std::string api_key_variable = {};
    bool allow_plain_http = false;
    bool vision = true;
    engine::upstream::UpstreamTimes times = {};
};

struct Options {
    std::string default_model = {};  // Empty: the embedded model if there is one, else scripted.
    std::map<std::string, ModelOptions> named = {};  // By the names that clients know.

    const ModelOptions& of(const std::string& name) const;  // The defaults if it is not named.
};

// Letters, digits, and . _ - between them: "llama-3.2".
bool is_model_name(std::string_view name);

}  // namespace parley::models
