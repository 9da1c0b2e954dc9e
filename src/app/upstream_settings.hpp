// Which servers answer for a model, out of the settings of that model. base_url may name several,
// separated by commas, in order of preference; upstream_model is one name for all of them or a list
// of as many, and keys are a list of as many, so that none goes to a server that it is not for.
#pragma once

#include "app/settings.hpp"
#include "engine/upstream/upstream_engine.hpp"

#include <string>

namespace parley::app {

// Whether the settings of a model go together; looks at no file. Fails with a sentence.
Result<> check_model(const std::string& name, const ModelSettings& model);

// Reads the keys. Fails with a sentence, which holds none of them.
Result<engine::upstream::UpstreamOptions> upstream_options(const std::string& name,
                                                           const ModelSettings& model,
                                                           std::int64_t runs_timeout_s);

}  // namespace parley::app
