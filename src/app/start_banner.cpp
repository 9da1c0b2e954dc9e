#include "app/start_banner.hpp"

#include "app/version.hpp"
#include "base/escape_control.hpp"
#include "models/model_files.hpp"

#include <cstdio>
#include <unistd.h>

namespace parley::app {
namespace {

bool is_seen() { return isatty(STDOUT_FILENO) != 0; }

void print(const char* label, const std::string& text)
{
    std::printf("%-9s%s\n", label, text.c_str());
}

std::string about(const Banner& banner)
{
    if (banner.model == models::embedded_model)
        return " (a small demonstration, often wrong; `parley model pull qwen2.5-coder-1.5b` "
               "fetches a better one, 1.1 GB; a server with OpenAI's interface can take its place)";
    if (banner.model_repeats)
        return " (only repeats messages; for a real one: `parley model pull qwen2.5-coder-1.5b`, "
               "1.1 GB, then `parley serve --model qwen2.5-coder-1.5b`)";
    return "";
}

}  // namespace

void print_banner(const Banner& banner)
{
    if (!is_seen()) return;
    print("Parley", banner.address + " (version " + version + ")");
    if (banner.setup_link) print("Set up", *banner.setup_link + " (create the operator)");
    print("Model", escape_control(banner.model) + about(banner));
    print("Data", escape_control(banner.data.native()));
    print("Stop", "Ctrl-C");
    std::fflush(stdout);
}

void print_stopping()
{
    if (!is_seen()) return;
    print("\nStopping", " (requests have 20 seconds to end; Ctrl-C again stops at once)");
    std::fflush(stdout);
}

}  // namespace parley::app
