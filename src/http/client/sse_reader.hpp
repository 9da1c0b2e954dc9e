// Reads a stream of server-sent events (text/event-stream, as the HTML standard defines it) as its
// bytes come, however they are cut. Comments and unknown fields are skipped; an incomplete event at
// the end of the stream is dropped. Text is passed on unchanged: the reader of the data must check
// whether it is UTF-8.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http::client {

struct SseEvent {
    std::string id = {};  // The last id of the stream.
    std::string event = "message";
    std::string data = {};
    std::optional<std::chrono::milliseconds> retry = {};  // The last one, likewise.
};

class SseReader {
public:
    struct Limits {
        std::size_t line = std::size_t{256} * 1024;
        std::size_t event = std::size_t{1024} * 1024;  // The limit of its data.
    };

    SseReader() = default;
    explicit SseReader(Limits limits) : limits_(limits) {}

    // Appends the events that these bytes complete. False once a line or an event has exceeded its
    // limit: the stream cannot be read any further.
    [[nodiscard]] bool feed(std::string_view bytes, std::vector<SseEvent>& events);

    // The last id of the stream, which may come without an event.
    const std::string& last_id() const { return event_.id; }

private:
    bool read_line(std::string_view line, std::vector<SseEvent>& events);
    bool read_field(std::string_view name, std::string_view value);
    void dispatch(std::vector<SseEvent>& events);

    Limits limits_;
    std::string unfinished_;  // An incomplete line.
    SseEvent event_;
    bool has_data_ = false;
    bool first_line_ = true;
    bool after_cr_ = false;  // A line feed that comes now belongs to the line before.
    bool failed_ = false;
};

}  // namespace parley::http::client
