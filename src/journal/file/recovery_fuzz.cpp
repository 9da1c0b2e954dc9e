// Fuzzes the reading of a segment. It must not crash, and must
// - find the same records for every chunk size,
// - accept only records that the writer would write with the same bytes,
// - keep the numbers of each run ascending in the index, and find the same records by it.
#include "journal/file/page.hpp"
#include "journal/file/recovery.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace parley::journal::file;

void require(bool holds)
{
    if (!holds) std::abort();
}

struct Found {
    std::string run;
    std::uint32_t number;
    std::string frame;
    std::uint32_t offset;

    bool operator==(const Found&) const = default;
};

std::vector<Found> scan(const File& file, std::size_t chunk, Scan& end)
{
    std::vector<Found> all;
    end = scan_records(
        file,
        [&](const Decoded& record, std::uint32_t offset) {
            all.push_back(
                {std::string(record.run), record.number, std::string(record.frame), offset});
        },
        chunk);
    return all;
}

void try_index(const SegmentPtr& segment, const std::vector<Found>& records)
{
    Index index;
    index.add_segment(segment);
    std::size_t kept = 0;
    for (const Found& record : records)
        if (index.restore(segment, {*RunName::from(record.run), record.number, record.offset}))
            ++kept;
    for (const RunName& run : index.runs()) {
        const auto state = *index.state(run);
        const auto places = index.find(run, 0, records.size());
        require(places && !places->empty());
        const auto page = read_page(run, *places, std::numeric_limits<std::size_t>::max());
        require(page && page->size() == places->size());
        require(page->front().number == state.first && page->back().number == state.last);
        require(std::ranges::is_sorted(*page, std::ranges::less_equal(),
                                       &parley::journal::Record::number));
        kept -= page->size();
        index.end(run);
    }
    require(kept == 0);
    require(index.take_free_segments().size() == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(judge_header(bytes));

    std::string content;
    append_header(content);
    content.append(bytes);
    const auto segment = std::make_shared<Segment>(1, File(::memfd_create("segment", 0)), 0);
    require(segment->file.write_at(0, content).has_value());

    Scan end;
    Scan other_end;
    const auto records = scan(segment->file, 4096, end);
    require(records == scan(segment->file, 1 + size % 64, other_end));
    require(end.good == other_end.good && end.whole == other_end.whole);
    require(end.good <= content.size() && end.whole == (end.good == content.size()));

    std::string again;
    append_header(again);
    for (const Found& record : records)
        append_record(again, record.run, record.number, record.frame);
    require(again == content.substr(0, end.good));

    try_index(segment, records);
    return 0;
}
