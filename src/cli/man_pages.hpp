// The manual pages of `parley`, generated from the description that also parses the arguments and
// from the table of settings, so that they are always complete.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace parley::cli {

// parley(1): every command with its options and examples.
std::string program_page(const CLI::App& program, std::string_view date);

// parley.toml(5): every setting.
std::string settings_page(std::string_view date);

}  // namespace parley::cli
