// What a process finds of the one before it: every segment is read, in order, into the index.
//
// The last segment may end in half a record, in zeros or in nonsense, when the process died in the
// middle of a write; that tail is cut off, and all before it stays. Damage in an older segment is
// the disk's doing: what precedes it is kept, the operator is warned, and the next segment is read.
// A segment whose very beginning is unreadable is set aside under another name. Segments of a newer
// format are refused, and then nothing at all is touched.
//
// Threads: at start, before there are others.
#pragma once

#include "base/error.hpp"
#include "journal/file/folder.hpp"
#include "journal/file/index.hpp"

#include <cstdint>

namespace parley::journal::file {

struct Recovered {
    SegmentPtr active;        // To be gone on with; none if a new one is to be begun.
    std::uint32_t next = 1;   // The number of the next segment.
    std::uint64_t bytes = 0;  // On disk, of all segments that stay.
    std::size_t segments = 0;
};

Result<Recovered> recover(const Folder& folder, Index& index);

}  // namespace parley::journal::file
