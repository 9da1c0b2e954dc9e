#include "engine/upstream/event_cutter.hpp"

#include "base/utf8.hpp"
#include "engine/upstream/chunk.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine::upstream {
namespace {

// The end of the last complete event, or 0: after a line feed and an empty line.
std::size_t end_of_events(std::string_view bytes)
{
    for (std::size_t at = bytes.rfind('\n'); at != bytes.npos && at > 0;
         at = bytes.rfind('\n', at - 1)) {
        if (bytes[at - 1] == '\n') return at + 1;
        if (at > 1 && bytes[at - 1] == '\r' && bytes[at - 2] == '\n') return at + 1;
    }
    return 0;
}

}  // namespace

std::string_view EventCutter::feed(std::string_view bytes)
{
    held_.erase(0, std::exchange(given_, 0));
    first_data_ = {};
    const std::size_t end = [&] {
        if (held_.empty()) return end_of_events(bytes);
        // The empty line may have begun in the last bytes of the previous piece.
        const std::size_t from = held_.size() - std::min<std::size_t>(held_.size(), 2);
        held_ += bytes;
        const std::size_t found = end_of_events(std::string_view(held_).substr(from));
        return found == 0 ? 0 : from + found;
    }();
    std::string_view events;
    if (held_.empty()) {
        events = bytes.substr(0, end);
        held_ = bytes.substr(end);
    } else {
        events = std::string_view(held_).substr(0, end);
        given_ = end;
    }
    if (held_.size() - given_ > longest_event_ || !check(events)) {
        state_ = State::odd;
        return {};
    }
    return events;
}

// Cuts off bytes after the end of the stream.
bool EventCutter::check(std::string_view& events)
{
    if (!utf8::valid(events)) return false;
    for (std::size_t at = 0; at < events.size() && state_ == State::going_on;) {
        const std::size_t end = std::min(events.find('\n', at), events.size() - 1);
        std::string_view line = events.substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!check_line(line)) return false;
        at = end + 1;
        if (state_ != State::ended) continue;
        // With the empty line after it.
        events = events.substr(0, std::min(events.find('\n', at), events.size() - 1) + 1);
    }
    return true;
}

bool EventCutter::check_line(std::string_view line)
{
    constexpr std::string_view data_field = "data:";
    if (!line.starts_with(data_field))
        return line.empty() || line.starts_with(':') || line.starts_with("event:") ||
               line.starts_with("id:") || line.starts_with("retry:");
    line.remove_prefix(data_field.size());
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (!std::exchange(seen_data_, true)) first_data_ = line;
    if (line == end_of_stream) {
        state_ = State::ended;
        return true;
    }
    return line.size() >= 2 && line.front() == '{' && line.back() == '}';
}

}  // namespace parley::engine::upstream
