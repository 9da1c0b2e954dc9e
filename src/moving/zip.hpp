// Reads files of a ZIP archive (also ZIP64), stored or deflated, without unpacking it: other
// programs give exports in this form. Only small parts of a file are in memory.
//
// Threads: an archive and its streams belong to one thread at a time.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace parley::moving {

struct ZipEntry {
    std::string name = {};
    std::uint16_t method = 0;
    bool is_encrypted = false;
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header_at = 0;
};

// Whether the stream begins as an archive does; reads from its beginning on afterwards.
bool is_zip(std::istream& in);

class Zip {
public:
    // The stream must outlive the archive, and be used by nothing else. Fails with invalid_request
    // if it is no archive or is damaged.
    static Result<Zip> open(std::istream& in);

    const std::vector<ZipEntry>& entries() const { return entries_; }

    // The bytes of a file. If they turn out to be damaged, the stream becomes bad(). One at a time.
    // Fails with invalid_request.
    Result<std::unique_ptr<std::istream>> read(const ZipEntry& entry);

private:
    explicit Zip(std::istream& in) : in_(&in) {}

    std::istream* in_;
    std::vector<ZipEntry> entries_;
};

}  // namespace parley::moving
