// What a person at a terminal is told once the server listens; nothing where nobody looks.
#pragma once

#include <optional>
#include <string>

namespace parley::app {

void welcome(const std::string& address, const std::string& model,
             const std::optional<std::string>& setup_link);

}  // namespace parley::app
