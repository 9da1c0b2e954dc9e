// One file of the journal, of which the first `size` bytes are good.
//
// Threads: `size` and all writing belong to the writer's thread; the file may be read from any,
// also after it was deleted, as long as the pointer is held.
#pragma once

#include "journal/file/file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace parley::journal::file {

struct Decoded;

struct Segment {
    Segment(std::uint32_t its_number, File its_file, std::uint64_t its_size)
        : number(its_number), file(std::move(its_file)), size(its_size)
    {
    }

    const std::uint32_t number;
    File file;
    std::uint64_t size;
};
using SegmentPtr = std::shared_ptr<Segment>;

// How far a segment's records can be read.
struct Scan {
    std::uint64_t good = 0;             // The end of the readable part.
    bool whole = true;                  // Whether the file ends there, too.
    std::optional<Error> failure = {};  // The system error that ended reading, if any.
};

// Reads the records after the header, in chunks, and calls `found` with each and its offset. It
// uses memory for one chunk, or for the largest allowed record, whatever the file claims.
Scan scan_records(const File& file,
                  const std::function<void(const Decoded&, std::uint32_t offset)>& found,
                  std::size_t chunk = std::size_t{256} * 1024);

}  // namespace parley::journal::file
