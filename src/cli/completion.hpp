// Shell completion scripts for `parley`, generated from the description that also parses the
// arguments, so that they are always complete.
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
