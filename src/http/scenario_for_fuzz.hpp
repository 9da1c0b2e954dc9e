// For fuzzers of a whole connection: the input of a client, made from the fuzzer's bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http::fuzz {

inline constexpr std::size_t body_limit = 6000;
inline constexpr std::size_t max_discarded = 10'000;
inline constexpr std::size_t max_pieces = 100;

inline void require(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "the connection is wrong: %s\n", what);
    std::abort();
}

// The fuzzer's bytes, followed by pseudo-random bytes that depend on them: so that short inputs,
// with which fuzzers begin, are complete conversations, too.
class Source {
public:
    explicit Source(std::span<const std::uint8_t> bytes) : bytes_(bytes)
    {
        for (const std::uint8_t byte : bytes) state_ = (state_ ^ byte) * 0x100000001b3U;  // FNV-1a.
    }
    unsigned take()
    {
        if (bytes_.empty()) {
            state_ = state_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX.
            return static_cast<unsigned>(state_ >> 56U);
        }
        const unsigned first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::uint64_t state_ = 0xcbf29ce484222325U;
};

// The handler's behaviour: echo the body, at once or when released; respond without reading it;
// stream.
enum class Handling { echo, hold, refuse, stream };

struct Request {
    std::string bytes;
    std::size_t head_size = 0;
    Handling handling = Handling::echo;
    std::string body = {};
    bool chunked = false;
    bool expects = false;
    bool is_head = false;
    bool http_1_0 = false;
    bool keeps = true;  // The client wants the connection to stay open.
    int fault = 0;      // The status of a head that must be refused.

    bool has_body() const { return chunked || !body.empty(); }
};

// The client's end, after all bytes or after some of them.
enum class End { finishes_sending, says_nothing_more, closes, is_cut };

struct Piece {
    std::size_t size;
    bool passes_time;
    bool lets_go;  // Releases held requests.
};

struct Scenario {
    std::vector<Request> requests;
    std::vector<Piece> pieces;
    std::string bytes;  // All that is sent.
    End end = End::finishes_sending;

    bool holds() const
    {
        return std::ranges::count(requests, Handling::hold, &Request::handling) != 0;
    }
};

// A complete request, repeated: if a part of a body were read as a request, it would run.
inline std::string smuggled(std::size_t size)
{
    constexpr std::string_view inner = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    std::string text;
    while (text.size() < size) text += inner;
    text.resize(size);
    return text;
}

inline std::string hexadecimal(std::size_t number)
{
    std::array<char, 20> text{};
    return {text.data(),
            static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%zx", number))};
}

inline std::string in_chunks(const std::string& body, unsigned shape)
{
    const std::size_t step = (shape & 0x7f) == 0 ? body.size() : (shape & 0x7f) * 23;
    const char* extension = (shape & 0x80) == 0 ? "\r\n" : ";a=b;c=\"d\"\r\n";
    std::string text;
    for (std::size_t at = 0; at < body.size(); at += step) {
        const std::string chunk = body.substr(at, step);
        text.append(hexadecimal(chunk.size())).append(extension).append(chunk).append("\r\n");
    }
    text.append("0").append(extension);
    if ((shape & 0x80) != 0) text.append("Trailer: x\r\n");
    return text.append("\r\n");
}

struct Fault {
    const char* line;
    int status;
};
inline constexpr std::array<Fault, 8> faults = {
    {{"Content-Length: 1x\r\n", 400},
     {"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400},
     {"Host: b\r\n", 400},
     {"Transfer-Encoding: gzip\r\n", 501},
     {"Expect: the-unexpected\r\n", 417},
     {"Bad Name: x\r\n", 400},
     {"X: \x01\r\n", 400},
     {"X: y\n", 400}}};

inline Request make_request(Source& source, std::size_t number)
{
    const unsigned kind = source.take();
    const unsigned size = source.take();
    const unsigned shape = source.take();
    const unsigned extra = source.take();
    const unsigned manner = kind >> 5U;  // 0 to 3: no special manner.
    const bool is_faulty = extra >= 0xf0;
    const bool wants_body = ((kind >> 2U) & 3U) != 0 && manner != 7 && !is_faulty;

    Request request;
    request.handling = static_cast<Handling>(kind & 3U);
    request.is_head = manner == 7;
    if (request.is_head) request.handling = Handling::refuse;
    request.http_1_0 = !is_faulty && (manner == 5 || manner == 6);
    request.keeps = manner != 4 && manner != 5;
    request.chunked = wants_body && ((kind >> 2U) & 2U) != 0 && !request.http_1_0;
    request.expects = (kind & 0x10U) != 0 && !request.http_1_0 && !is_faulty;
    if (wants_body) request.body = smuggled(size < 0x80 ? size : (size - 0x7f) * 110);

    std::string head = request.is_head ? "HEAD" : wants_body ? "POST" : "GET";
    head += " /" + std::to_string(number);
    head += request.http_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n";
    head += "Host: a\r\n";
    if (extra >= 0xc0 && !is_faulty)
        head += "X-Padding: " + std::string((extra - 0xbf) * 160, 'p') + "\r\n";
    if (request.chunked) head += "Transfer-Encoding: chunked\r\n";
    if (wants_body && !request.chunked)
        head += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    if (request.expects) head += "Expect: 100-continue\r\n";
    if (!request.keeps && !request.http_1_0) head += "Connection: close\r\n";
    if (request.keeps && request.http_1_0) head += "Connection: keep-alive\r\n";
    if (is_faulty) {
        head += faults[extra & 7U].line;
        request.fault = faults[extra & 7U].status;
    }
    head += "\r\n";
    request.head_size = head.size();
    request.bytes = head + (request.chunked ? in_chunks(request.body, shape) : request.body);
    return request;
}

// Offsets that are likely ends of pieces: ends of heads, and shortly before the ends of bodies.
inline std::size_t next_of(const std::vector<std::size_t>& offsets, std::size_t at,
                           std::size_t otherwise)
{
    const auto next = std::ranges::upper_bound(offsets, at);
    return next == offsets.end() ? otherwise : *next;
}

inline std::vector<Piece> make_pieces(Source& source, const Scenario& scenario)
{
    std::vector<std::size_t> heads;
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    for (const Request& request : scenario.requests) {
        heads.push_back(at + request.head_size);
        at += request.bytes.size();
        ends.push_back(at - 4);
    }
    std::vector<Piece> pieces;
    const std::size_t all = scenario.bytes.size();
    for (at = 0; at < all && pieces.size() < max_pieces; at += pieces.back().size) {
        const unsigned kind = source.take();
        const unsigned manner = source.take();
        std::size_t end = 0;
        if (kind < 0x40)
            end = at + kind + 1;
        else if (kind < 0xc0)
            end = at + (kind - 0x3f) * 53;
        else if (kind < 0xd0)
            end = at + std::size_t{16} * 1024;
        else
            end = next_of(kind < 0xe8 ? heads : ends, at, all);
        pieces.push_back({std::min(end, all) - at, (manner & 7U) == 1, (manner & 8U) != 0});
    }
    if (at < all) pieces.push_back({all - at, false, false});
    return pieces;
}

inline Scenario make_scenario(std::span<const std::uint8_t> plan)
{
    Source source(plan);
    Scenario scenario;
    const unsigned ending = source.take();
    const std::size_t position = source.take() << 8U | source.take();
    const std::size_t count = 1 + source.take() % 7;
    for (std::size_t i = 0; i < count; ++i) {
        scenario.requests.push_back(make_request(source, i));
        scenario.bytes += scenario.requests.back().bytes;
    }
    constexpr std::array ends = {End::finishes_sending, End::finishes_sending,
                                 End::finishes_sending, End::says_nothing_more,
                                 End::finishes_sending, End::says_nothing_more,
                                 End::closes,           End::is_cut};
    scenario.end = ends[ending & 7U];
    if ((ending & 7U) >= 4 && !scenario.bytes.empty())
        scenario.bytes.resize(position % (scenario.bytes.size() + 1));
    scenario.pieces = make_pieces(source, scenario);
    return scenario;
}

// The stream of the handler for the request with this number.
inline std::string stream_of(std::size_t number)
{
    return "data: " + std::to_string(number) + "\n\n" + "data: and more\n\n";
}

}  // namespace parley::http::fuzz
