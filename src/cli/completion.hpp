// Scripts that complete `parley` in a shell, made from the description that also reads the
// arguments: what is not there is not offered, and what is there cannot be forgotten.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace parley::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace parley::cli
