// Recovery at start: every segment is read, in order, into the index.
//
// The last segment may end in an incomplete record, in zeros or in garbage, if the process died in
// the middle of a write; that tail is truncated, and everything before it stays. Damage in an older
// segment comes from the disk: the events before it are kept, the operator is warned, and the next
// segment is read. A segment whose header is unreadable is renamed. If there is a segment of a
// newer format, recovery fails and changes nothing.
//
// Threads: at start, before other threads are started.
#pragma once

#include "base/error.hpp"
#include "journal/file/folder.hpp"
#include "journal/file/index.hpp"

#include <cstdint>

namespace parley::journal::file {

struct Recovered {
    SegmentPtr active;        // To be continued; none if a new one must be created.
    std::uint32_t next = 1;   // The number of the next segment.
    std::uint64_t bytes = 0;  // On disk, of all segments that stay.
    std::size_t segments = 0;
};

Result<Recovered> recover(const Folder& folder, Index& index);

}  // namespace parley::journal::file
