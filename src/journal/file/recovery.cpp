#include "journal/file/recovery.hpp"

#include "base/log.hpp"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace parley::journal::file {
namespace {

struct Found {
    std::uint32_t number;
    File file;
    std::uint64_t size;
    Header header;
};

// Reads all headers before anything is changed.
Result<std::vector<Found>> look(const Folder& folder)
{
    const auto numbers = folder.segments();
    if (!numbers) return numbers.error();
    std::vector<Found> all;
    for (const std::uint32_t number : *numbers) {
        auto file = folder.open_segment(number);
        if (!file) return file.error();
        const auto size = file->size();
        if (!size) return size.error();
        std::array<char, header_size> bytes{};
        const auto got = file->read_at(0, bytes);
        const Header header =
            got ? judge_header(std::string_view(bytes.data(), *got)) : Header::damaged;
        if (header == Header::newer)
            return Error{Errc::storage_unavailable,
                         fmt::format("{} was written by a newer version of Parley: start that "
                                     "version, or choose another data directory.",
                                     folder.path_of(number))};
        all.push_back({number, std::move(*file), *size, header});
    }
    return all;
}

// Handles a segment without a header.
Result<> discard(const Folder& folder, const Found& found)
{
    // It was created, but nothing was written.
    if (found.size < header_size) return folder.remove_segment(found.number);
    log::warn("journal file damaged from its beginning; renamed to .damaged",
              log::kv("file", folder.path_of(found.number)), log::kv("bytes", found.size));
    return folder.set_aside(found.number);
}

class Recovery {
public:
    Recovery(const Folder& folder, Index& index) : folder_(folder), index_(index) {}

    Result<> read(Found found, bool last)
    {
        const auto segment =
            std::make_shared<Segment>(found.number, std::move(found.file), found.size);
        index_.add_segment(segment);
        std::size_t repeated = 0;
        const Scan scan = scan_records(segment->file, [&](const Decoded& record, std::uint32_t at) {
            const auto run = RunName::from(record.run);
            if (!index_.restore(segment, {*run, record.number, at})) ++repeated;
        });
        result.bytes += found.size;
        ++result.segments;
        if (repeated > 0)
            log::warn("journal file repeats events; the first of each is used",
                      log::kv("file", folder_.path_of(found.number)), log::kv("events", repeated));
        if (last && !scan.failure) {
            result.active = segment;
            return scan.whole ? Result<>() : cut(*segment, scan.good);
        }
        return scan.whole ? Result<>() : mourn(*segment, scan);
    }

    // No run has events in these. If one cannot be deleted now, the next start tries again.
    void remove_free_segments()
    {
        for (const SegmentPtr& segment : index_.take_free_segments()) {
            if (segment == result.active) result.active = nullptr;
            result.bytes -= segment->size;
            --result.segments;
            const auto removed = folder_.remove_segment(segment->number);
            if (!removed)
                log::warn("cannot delete a journal file",
                          log::kv("file", folder_.path_of(segment->number)),
                          log::kv("reason", removed.error().detail));
        }
    }

    Recovered result;

private:
    Result<> mourn(const Segment& segment, const Scan& scan)
    {
        log::warn("journal file damaged; the events after that position are lost",
                  log::kv("file", folder_.path_of(segment.number)), log::kv("offset", scan.good),
                  log::kv("bytes", segment.size),
                  log::kv("reason", scan.failure ? scan.failure->detail : "not a record"));
        // Without a readable record it would be deleted, like a segment that no run needs.
        return scan.good == header_size ? folder_.set_aside(segment.number) : Result<>();
    }

    Result<> cut(Segment& segment, std::uint64_t good)
    {
        log::info("the journal ended in the middle of a write; its tail was truncated",
                  log::kv("file", folder_.path_of(segment.number)), log::kv("offset", good),
                  log::kv("bytes", segment.size - good));
        result.bytes -= segment.size - good;
        segment.size = good;
        return segment.file.cut(good);
    }

    const Folder& folder_;
    Index& index_;
};

}  // namespace

Result<Recovered> recover(const Folder& folder, Index& index)
{
    auto all = look(folder);
    if (!all) return all.error();

    Recovery recovery(folder, index);
    for (Found& found : *all) {
        const bool last = &found == &all->back();
        recovery.result.next = found.number + 1;
        const auto done = found.header == Header::ours ? recovery.read(std::move(found), last)
                                                       : discard(folder, found);
        if (!done) return done.error();
    }
    recovery.remove_free_segments();
    return recovery.result;
}

}  // namespace parley::journal::file
