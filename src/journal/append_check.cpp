#include "journal/append_check.hpp"

#include <fmt/format.h>

namespace parley::journal {
namespace {

Error bug(std::string detail)
{
    return {Errc::internal, "An event of this run cannot be journalled.", std::move(detail)};
}

}  // namespace

Error bad_run_name(std::string_view run)
{
    return bug(fmt::format("a run's name has {} bytes", run.size()));
}

Result<> check_frames(std::span<const Frame> frames, std::size_t max_frame, std::size_t max_append)
{
    std::size_t bytes = 0;
    for (const Frame& frame : frames) {
        if (!frame) return bug("a frame is missing");
        if (frame->size() > max_frame)
            return bug(fmt::format("a frame has {} bytes", frame->size()));
        bytes += frame->size();
    }
    if (frames.empty() || bytes > max_append)
        return bug(fmt::format("{} frames have {} bytes", frames.size(), bytes));
    return {};
}

}  // namespace parley::journal
