// Models that run inside this process: which files they come from, and what is told while they
// load.
#pragma once

#include "app/settings.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace parley::app {

// The name of the model that comes with the program: models/NAME.gguf in the program's folder.
inline constexpr std::string_view embedded_model = "smollm2-135m";

// Whether its weights are there, and this program can use them.
bool has_embedded_model();

// Comes back while the weights are being loaded; Engine::ready() says when they are. Fails with a
// sentence for the operator.
Result<std::unique_ptr<engine::Engine>> open_local_model(const std::string& name,
                                                         const ModelSettings& wanted);

}  // namespace parley::app
