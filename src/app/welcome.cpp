#include "app/welcome.hpp"

#include "app/model_files.hpp"
#include "app/version.hpp"

#include <cstdio>
#include <unistd.h>

namespace parley::app {

void welcome(const std::string& address, const std::string& model,
             const std::optional<std::string>& setup_link)
{
    if (isatty(STDOUT_FILENO) == 0) return;
    std::printf("\nParley %s listens on %s\n\n", version, address.c_str());
    if (setup_link) std::printf("  set up   open %s\n", setup_link->c_str());
    std::printf("  answers  %s\n", model.c_str());
    if (model == embedded_model) std::printf("\n%s\n\n", std::string(about_embedded_model).c_str());
    std::printf("  try it   curl %s/healthz\n  stop it  Ctrl-C\n\n", address.c_str());
    std::fflush(stdout);
}

}  // namespace parley::app
