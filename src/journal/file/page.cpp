#include "journal/file/page.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <string>

namespace parley::journal::file {
namespace {

constexpr std::size_t window_size = std::size_t{64} * 1024;
constexpr std::size_t likely_record = 1024;

// The bytes of a segment around the current position, so that one read covers neighbouring records.
class Window {
public:
    // The record at the first of `places`; all are in the same segment, in ascending order.
    Result<Decoded> record_at(std::span<const Index::Location> places)
    {
        const Index::Location& place = places.front();
        if (segment_ != place.segment || place.offset < begin_ || place.offset >= begin_ + filled_)
            if (auto moved = fill(place, reach(places)); !moved) return moved.error();
        Decoded record = decode_record(from(place.offset));
        for (std::size_t had = 0; record.kind == Decoded::Kind::incomplete && record.size > had;) {
            had = record.size;
            if (auto moved = fill(place, record.size); !moved) return moved.error();
            record = decode_record(from(place.offset));
        }
        return record;
    }

private:
    static std::size_t reach(std::span<const Index::Location> places)
    {
        const Index::Location& first = places.front();
        std::size_t bytes = likely_record;
        for (const Index::Location& each : places) {
            if (each.segment != first.segment) break;
            const std::size_t end = each.offset - first.offset + likely_record;
            if (end > window_size) break;
            bytes = end;
        }
        return bytes;
    }

    std::string_view from(std::uint32_t offset) const
    {
        return std::string_view(buffer_).substr(offset - begin_, filled_ - (offset - begin_));
    }

    Result<> fill(const Index::Location& place, std::size_t size)
    {
        buffer_.resize(size);
        filled_ = 0;
        const auto got = place.segment->file.read_at(place.offset, buffer_);
        if (!got) return got.error();
        segment_ = place.segment;
        begin_ = place.offset;
        filled_ = *got;
        return {};
    }

    SegmentPtr segment_;
    std::string buffer_;
    std::uint64_t begin_ = 0;
    std::size_t filled_ = 0;
};

Error damaged(const RunName& run, const Index::Location& place)
{
    log::error("cannot read an event back from the journal; the disk may be failing",
               log::kv("run", run.text()), log::kv("number", place.number),
               log::kv("segment", place.segment->number), log::kv("offset", place.offset));
    return {Errc::storage_unavailable, "An event of this run cannot be read."};
}

}  // namespace

Result<std::vector<Record>> read_page(const RunName& run, std::span<const Index::Location> places,
                                      std::size_t max_bytes)
{
    std::vector<Record> records;
    Window window;
    std::size_t bytes = 0;
    for (; !places.empty(); places = places.subspan(1)) {
        const Index::Location& place = places.front();
        const auto record = window.record_at(places);
        const bool good = record && record->kind == Decoded::Kind::record &&
                          record->run == run.text() && record->number == place.number;
        // Events before a damaged one are returned; the next page begins with the damage.
        if (!good && records.empty()) return record ? damaged(run, place) : record.error();
        if (good) bytes += Record::overhead + record->frame.size();
        if (!good || (!records.empty() && bytes > max_bytes)) break;
        records.push_back({record->number, std::string(record->frame)});
    }
    return records;
}

}  // namespace parley::journal::file
