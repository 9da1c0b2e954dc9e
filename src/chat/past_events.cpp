#include "chat/past_events.hpp"

#include "chat/events.hpp"

namespace parley::chat {
namespace {

// The number of bytes that are read at once.
constexpr std::size_t bytes_of_a_page = std::size_t{1024} * 1024;

}  // namespace

Task<Result<PastEvents>> read_past_events(journal::Journal& journal, std::string run)
{
    const auto state = co_await journal.state(run);
    if (!state) co_return state.error();
    PastEvents past;
    if (!*state) co_return past;
    if (!(*state)->whole) {
        past.is_whole = false;
        co_return past;
    }
    past.last = (*state)->last;
    for (std::uint32_t number = 0; number < past.last;) {
        auto records = co_await journal.read(run, number, bytes_of_a_page);
        if (!records) co_return records.error();
        if (records->empty()) co_return not_found("The run");
        for (auto& record : *records) {
            number = record.number;
            if (number > past.last) break;  // Added since.
            const RunEvent event = event_of_record(number, std::move(record.bytes));
            if (event.type != RunEvent::Type::delta) continue;
            past.deltas.add(event.bytes->size());
            past.text += *event.bytes;
        }
    }
    co_return past;
}

Task<std::optional<std::vector<RunEvent>>> rest_of_events(store::Store& store,
                                                          const store::RunWithMessages& ended,
                                                          std::int64_t after)
{
    const auto stored = co_await store.runs().events(ended.run.id);
    if (!stored) co_return std::nullopt;
    auto kept = KeptEvents::open(*stored, ended);
    if (!kept || after >= ended.run.last_number) co_return std::nullopt;
    std::vector<RunEvent> rest;
    while (after < ended.run.last_number) {
        auto events = kept->next(ended, after, bytes_of_a_page);
        if (!events || events->empty()) co_return std::nullopt;
        after = events->back().number;
        for (RunEvent& event : *events) rest.push_back(std::move(event));
    }
    co_return rest;
}

}  // namespace parley::chat
