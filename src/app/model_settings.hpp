// The keys of models: "models.NAME.engine" and so on. There is a group of them for each name.
#pragma once

#include "app/settings.hpp"

#include <string_view>

namespace parley::app {

inline constexpr std::string_view models_table = "models.";

// The model name in such a key; empty if there is no valid one.
std::string_view model_in(std::string_view key);

}  // namespace parley::app
