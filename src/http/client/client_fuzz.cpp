// Fuzzes the code that reads responses of other servers: the response parser, the reader of event
// streams, and the URL parser. They must not crash, must give the same result however the bytes are
// divided, must keep their limits, and must understand their own output.
#include "http/client/parser.hpp"
#include "http/client/sse_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley::http::client;

constexpr std::size_t max_head = 1000;
constexpr std::size_t max_body = 1000;

void require(bool holds)
{
    if (!holds) std::abort();
}

struct Answer {
    std::string body;
    int status = 0;
    bool refused = false;
    bool done = false;
    bool keep_alive = false;
    bool ended = false;  // By the end of the connection.

    bool operator==(const Answer&) const = default;
};

Answer read_answer(std::string_view bytes, bool bodiless, std::size_t piece)
{
    ResponseParser parser(bodiless, {.head = max_head, .body = max_body});
    Answer answer;
    std::string unused;
    while (!parser.done()) {
        const auto step = parser.feed(unused);
        if (!step) {
            answer.refused = true;
            answer.body.clear();  // The amount of body before a failure depends on the pieces.
            return answer;
        }
        require(step->used <= unused.size());
        answer.body += step->body;
        unused.erase(0, step->used);
        if (step->used > 0) continue;
        if (bytes.empty()) break;
        unused += bytes.substr(0, piece);
        bytes.remove_prefix(std::min(piece, bytes.size()));
    }
    require(answer.body.size() <= max_body);
    if (parser.head_done()) answer.status = parser.head().status;
    answer.done = parser.done();
    answer.ended = !answer.done && parser.end_of_input();
    if (answer.done) answer.keep_alive = parser.keep_alive();
    return answer;
}

void try_answer(std::string_view bytes, bool bodiless, std::size_t piece)
{
    const Answer whole = read_answer(bytes, bodiless, bytes.size() + 1);
    const Answer other = read_answer(bytes, bodiless, piece);
    // Beast detects some faults of a head or of a last chunk only at its end.
    const bool faulty = whole.refused || other.refused;
    if (faulty) require(!whole.done && !other.done && !whole.ended && !other.ended);
    if (faulty) return;
    require(whole == other);
    if (whole.status == 0) return;
    require(whole.status >= 200 && whole.status <= 599);
    require(!bodiless || (whole.done && whole.body.empty()));
}

void try_events(std::string_view bytes, std::size_t piece)
{
    const SseReader::Limits limits{.line = 100, .event = 200};
    SseReader at_once(limits);
    SseReader piecewise(limits);
    std::vector<SseEvent> events;
    std::vector<SseEvent> others;
    const bool read = at_once.feed(bytes, events);
    bool also_read = true;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        also_read = piecewise.feed(bytes.substr(at, piece), others);
    require(read == also_read && events.size() == others.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        require(events[i].data == others[i].data && events[i].event == others[i].event);
        require(events[i].id == others[i].id && events[i].retry == others[i].retry);
        require(events[i].data.size() <= limits.event && events[i].id.size() <= limits.line);
    }
}

void try_url(std::string_view bytes)
{
    const auto url = Url::parse(bytes);
    if (!url) return;
    const std::string text =
        (url->secure() ? "https://" : "http://") + url->authority() + url->target();
    require(text.find_first_of("\r\n #") == text.npos);
    const auto again = Url::parse(text);
    require(again && again->host() == url->host() && again->port() == url->port());
    require(again->target() == url->target() && again->host_is_address() == url->host_is_address());
}

}  // namespace

// The first byte selects the target, the second the size of the pieces.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t piece = data[1] % 16 + 1;
    switch (data[0] % 4) {
        case 0:
            try_answer(bytes, false, piece);
            break;
        case 1:
            try_answer(bytes, true, piece);
            break;
        case 2:
            try_events(bytes, piece);
            break;
        default:
            try_url(bytes);
            break;
    }
    return 0;
}
