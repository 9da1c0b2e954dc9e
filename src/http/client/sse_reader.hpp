// Reads a stream of server-sent events (text/event-stream, as the HTML standard defines it) as its
// bytes come, however they are cut. Comments and unknown fields are read over; an event that the
// end of the stream cuts off never appears. Text is handed on as it came: whether it is UTF-8 is
// for the reader of the data to say.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http::client {

struct SseEvent {
    std::string id = {};  // The last one that was given, here or before.
    std::string event = "message";
    std::string data = {};
    std::optional<std::chrono::milliseconds> retry = {};  // The last one, likewise.
};

class SseReader {
public:
    struct Limits {
        std::size_t line = std::size_t{256} * 1024;
        std::size_t event = std::size_t{1024} * 1024;  // Of its data.
    };

    SseReader() = default;
    explicit SseReader(Limits limits) : limits_(limits) {}

    // Appends the events that these bytes complete. False once a line or an event has exceeded its
    // limit: the stream cannot be read any further.
    [[nodiscard]] bool feed(std::string_view bytes, std::vector<SseEvent>& events);

private:
    bool read_line(std::string_view line, std::vector<SseEvent>& events);
    bool read_field(std::string_view name, std::string_view value);
    void dispatch(std::vector<SseEvent>& events);

    Limits limits_;
    std::string unfinished_;  // A line whose end has not come.
    SseEvent event_;
    bool has_data_ = false;
    bool first_line_ = true;
    bool after_cr_ = false;  // A line feed that comes now belongs to the line before.
    bool failed_ = false;
};

}  // namespace parley::http::client
