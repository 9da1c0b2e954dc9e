// The upstream servers of a model, from its options. base_url may name several, separated by
// commas, in order of preference; upstream_model is one name for all servers or a list of the same
// length, and keys are a list of the same length, so that no key is sent to another server.
#pragma once

#include "engine/upstream/upstream_engine.hpp"
#include "models/model_options.hpp"

#include <string>

namespace parley::models {

// Checks that the settings of a model are consistent, without reading files. Fails with a message.
Result<> check_model(const std::string& name, const ModelOptions& model);

// Reads the keys. Fails with a message that contains none of them.
Result<engine::upstream::UpstreamOptions> upstream_options(const std::string& name,
                                                           const ModelOptions& model,
                                                           std::chrono::seconds run_timeout);

}  // namespace parley::models
