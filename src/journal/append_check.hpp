// The rules of every journal for events that are appended. A violation is a bug of the caller.
//
// Threads: plain functions.
#pragma once

#include "journal/journal.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace parley::journal {

Error bad_run_name(std::string_view run);

// There must be frames, none of them missing, within these numbers of bytes.
Result<> check_frames(std::span<const Frame> frames, std::size_t max_frame, std::size_t max_append);

}  // namespace parley::journal
