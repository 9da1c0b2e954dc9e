#include "http/client/sse_reader.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

namespace parley::http::client {

bool SseReader::feed(std::string_view bytes, std::vector<SseEvent>& events)
{
    while (!failed_ && !bytes.empty()) {
        if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = bytes.find_first_of("\r\n");
        const std::string_view part = bytes.substr(0, end);
        if (unfinished_.size() + part.size() > limits_.line) {
            failed_ = true;
        } else if (end == bytes.npos) {
            unfinished_ += part;
            return true;
        } else if (unfinished_.empty()) {
            failed_ = !read_line(part, events);
        } else {
            unfinished_ += part;
            failed_ = !read_line(unfinished_, events);
            unfinished_.clear();
        }
        if (failed_) break;
        after_cr_ = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
    }
    return !failed_;
}

bool SseReader::read_line(std::string_view line, std::vector<SseEvent>& events)
{
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (std::exchange(first_line_, false) && line.starts_with(byte_order_mark))
        line.remove_prefix(byte_order_mark.size());
    if (line.empty()) {
        dispatch(events);
        return true;
    }
    const std::size_t colon = line.find(':');
    std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    return read_field(line.substr(0, colon), value);
}

bool SseReader::read_field(std::string_view name, std::string_view value)
{
    if (name == "data") {
        if (std::exchange(has_data_, true)) event_.data += '\n';
        if (event_.data.size() + value.size() > limits_.event) return false;
        event_.data += value;
    } else if (name == "event") {
        event_.event = value.empty() ? "message" : value;
    } else if (name == "id") {
        if (value.find('\0') == value.npos) event_.id = value;
    } else if (name == "retry") {
        std::uint32_t milliseconds = 0;
        const auto [stop, failed] =
            std::from_chars(value.data(), value.data() + value.size(), milliseconds);
        if (failed == std::errc() && stop == value.data() + value.size())
            event_.retry = std::chrono::milliseconds(milliseconds);
    }
    return true;
}

void SseReader::dispatch(std::vector<SseEvent>& events)
{
    SseEvent next{.id = event_.id, .retry = event_.retry};
    if (has_data_)
        events.push_back(std::exchange(event_, std::move(next)));
    else
        event_ = std::move(next);
    has_data_ = false;
}

}  // namespace parley::http::client
