// Fuzzes the framing gate and the chunked decoder. They must not crash, and must
// - give the same result however the bytes are divided,
// - refuse everything that Beast's parser, which is far more lenient, refuses or reads in another
//   way: an accepted request must mean the same to other programs.
#include "http/chunked.hpp"
#include "http/framing.hpp"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley::http;
namespace beast = boost::beast::http;
using Verdict = FramingGate::Verdict;

void require(bool holds)
{
    if (!holds) std::abort();
}

void agree_with_beast(std::string_view head, const RequestHead& ours)
{
    if (head.starts_with("\r\n")) head.remove_prefix(2);
    beast::request_parser<beast::empty_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(max_head_size));
    parser.skip(true);
    boost::beast::error_code error;
    parser.put(boost::asio::buffer(head), error);
    require(!error && parser.is_header_done());
    const auto& theirs = parser.get();
    require(theirs.method_string() == ours.method);
    require(theirs.version() == (ours.http_1_0 ? 10U : 11U));
    require(parser.chunked() == ours.chunked);
    require(static_cast<std::size_t>(std::distance(theirs.begin(), theirs.end())) ==
            ours.fields.size());
    require(theirs[beast::field::host] == ours.field("host"));
    const auto length = parser.content_length();
    require(length.has_value() == ours.content_length.has_value());
    if (length) require(*length == *ours.content_length);
}

void try_head(std::string_view bytes)
{
    FramingGate at_once;
    const Verdict verdict = at_once.look(bytes);
    FramingGate piecewise;
    Verdict other = Verdict::incomplete;
    for (std::size_t size = 0; size <= bytes.size() && other == Verdict::incomplete;)
        other = piecewise.look(bytes.substr(0, size++));
    require(verdict == other);
    if (verdict != Verdict::complete) return;
    require(at_once.head_size() == piecewise.head_size());
    require(at_once.head_size() <= max_head_size);
    RequestHead head;
    const std::string_view text = bytes.substr(0, at_once.head_size());
    if (parse_head(text, head)) agree_with_beast(text, head);
}

void try_chunks(std::string_view bytes)
{
    constexpr std::size_t limit = 1000;
    ChunkedDecoder at_once(limit);
    std::string body;
    const auto used = at_once.feed(bytes, body);
    ChunkedDecoder piecewise(limit);
    std::string other_body;
    std::size_t other_used = 0;
    bool failed = false;
    while (other_used < bytes.size() && !piecewise.done() && !failed) {
        const auto fed = piecewise.feed(bytes.substr(other_used, 1), other_body);
        failed = !fed;
        if (fed) other_used += *fed;
    }
    require(failed == !used);
    require(body.size() <= limit && other_body.size() <= limit);
    if (!used) return;
    require(body == other_body && *used == other_used && at_once.done() == piecewise.done());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try_head(bytes);
    try_chunks(bytes);
    return 0;
}
