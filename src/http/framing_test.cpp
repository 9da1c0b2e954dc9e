#include "http/framing.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

using Verdict = FramingGate::Verdict;

constexpr std::string_view plain = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// The verdict about a head: "ok", or the code of its refusal.
std::string judge(std::string_view bytes)
{
    const auto name = [](Errc code) -> std::string {
        switch (code) {
            case Errc::invalid_request:
                return "invalid_request";
            case Errc::not_implemented:
                return "not_implemented";
            case Errc::expectation_failed:
                return "expectation_failed";
            case Errc::uri_too_long:
                return "uri_too_long";
            case Errc::headers_too_large:
                return "headers_too_large";
            default:
                return "?";
        }
    };
    FramingGate gate;
    const Verdict verdict = gate.look(bytes);
    if (verdict == Verdict::refused) return name(gate.error().code);
    if (verdict == Verdict::incomplete) return "incomplete";
    RequestHead head;
    const auto parsed = parse_head(bytes.substr(0, gate.head_size()), head);
    return parsed ? "ok" : name(parsed.error().code);
}

std::string with_fields(const std::string& fields)
{
    return judge("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n");
}

std::string with_line(const std::string& line) { return judge(line + "\r\nHost: a\r\n\r\n"); }

RequestHead parsed(std::string_view bytes)
{
    RequestHead head;
    EXPECT_TRUE(parse_head(bytes, head));
    return head;
}

TEST(Framing, ReadsAnOrdinaryHead)
{
    const auto head = parsed(
        "POST /a/b?c=d&e HTTP/1.1\r\nHost: example.org:8080\r\n"
        "Content-Length: 12\r\nX-Odd:  spaced value \t\r\n\r\n");
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.path, "/a/b");
    EXPECT_EQ(head.query, "c=d&e");
    EXPECT_EQ(head.field("x-odd"), "spaced value");
    EXPECT_EQ(head.content_length, 12U);
    EXPECT_TRUE(head.keep_alive);
    EXPECT_FALSE(head.chunked);
}

TEST(Framing, FindsTheEndHoweverTheBytesArrive)
{
    const std::string bytes = std::string(plain) + "the body";
    FramingGate gate;
    for (std::size_t size = 0; size < plain.size(); ++size)
        ASSERT_EQ(gate.look(bytes.substr(0, size)), Verdict::incomplete) << size;
    ASSERT_EQ(gate.look(bytes), Verdict::complete);
    EXPECT_EQ(gate.head_size(), plain.size());
}

TEST(Framing, JudgesABrokenRequestLineAlikeHoweverItArrives)
{
    for (const std::string bytes : {"%\r\n", "0\r\n\r\n", "\r\nGET\r\n", "GET /\r\n"}) {
        FramingGate at_once;
        const Verdict verdict = at_once.look(bytes);
        FramingGate piecewise;
        Verdict other = Verdict::incomplete;
        for (std::size_t size = 0; size <= bytes.size() && other == Verdict::incomplete; ++size)
            other = piecewise.look(bytes.substr(0, size));
        EXPECT_EQ(verdict, other) << bytes;
    }
}

TEST(Framing, ForgivesOneEmptyLineBeforeARequest)
{
    EXPECT_EQ(judge("\r\n" + std::string(plain)), "ok");
    EXPECT_EQ(judge("\r\n\r\n" + std::string(plain)), "invalid_request");
}

TEST(Framing, TakesOnlyOneFormOfRequestLine)
{
    EXPECT_EQ(with_line("GET / HTTP/1.1"), "ok");
    EXPECT_EQ(with_line("GET / HTTP/1.0"), "ok");
    EXPECT_EQ(with_line("GET http://a/x?y HTTP/1.1"), "ok");
    EXPECT_EQ(with_line("OPTIONS * HTTP/1.1"), "ok");
    EXPECT_EQ(with_line("CONNECT a:443 HTTP/1.1"), "ok");
    for (const char* line : {"GET /",
                             "GET  / HTTP/1.1",
                             "GET /  HTTP/1.1",
                             "GET / HTTP/1.2",
                             "GET / HTTP/2.0",
                             "GET / http/1.1",
                             "GET / HTTP/1.1 ",
                             "GET\t/ HTTP/1.1",
                             " GET / HTTP/1.1",
                             "GET * HTTP/1.1",
                             "GET x HTTP/1.1",
                             "GET /a b HTTP/1.1",
                             "GET /\x01 HTTP/1.1",
                             "GET /caf\xc3\xa9 HTTP/1.1",
                             "GET /a#b HTTP/1.1",
                             "GET /a\\b HTTP/1.1",
                             "G@T / HTTP/1.1",
                             "PRI * HTTP/2.0",
                             "GET http:///x HTTP/1.1",
                             "GET http://u@a/ HTTP/1.1",
                             "GET / HTTP/1.1\rX: y"})
        EXPECT_EQ(with_line(line), "invalid_request") << line;
}

TEST(Framing, RefusesLinesThatDoNotEndInCrlf)
{
    EXPECT_EQ(judge("GET / HTTP/1.1\nHost: a\r\n\r\n"), "invalid_request");
    EXPECT_EQ(judge("GET / HTTP/1.1\r\nHost: a\n\r\n"), "invalid_request");
    EXPECT_EQ(judge("GET / HTTP/1.1\r\nHost: a\r\n\n"), "invalid_request");
    EXPECT_EQ(with_fields("X: a\rb"), "invalid_request");
}

TEST(Framing, RefusesFieldsThatCanBeReadInTwoWays)
{
    using namespace std::string_literals;
    for (const auto& field :
         {" X: y"s, "\tX: y"s, "X : y"s, "X\t: y"s, ": y"s, "X"s, "X[: y"s, "X\xc3\xab: y"s,
          "X: y\r\n folded"s, "X: a\0b"s, "X: a\x07"s, "X: a\x7f"s, "Content_Length: 5"s,
          "Transfer_Encoding: chunked"s, "Connection: a b"s, "Connection: cl\xf6se"s,
          "Content-Type: a/b\r\ncontent-type: a/b"s})
        EXPECT_EQ(with_fields(field), "invalid_request") << field;
    EXPECT_EQ(with_fields("X: \xc3\xab\t!"), "ok");
    EXPECT_EQ(with_fields("X:"), "ok");
}

TEST(Framing, KnowsOneLengthOnly)
{
    EXPECT_EQ(with_fields("Content-Length: 5"), "ok");
    for (const char* value : {"", "+5", "-1", "-0", "5, 5", "5,5", "1 0", "0x5", "005", "00", "1_0",
                              "5a", "18446744073709551616", "99999999999999999999"})
        EXPECT_EQ(with_fields(std::string("Content-Length: ") + value), "invalid_request") << value;
    EXPECT_EQ(with_fields("Content-Length: 5\r\nContent-Length: 5"), "invalid_request");
    EXPECT_EQ(with_fields("Content-Length: 5\r\nTransfer-Encoding: chunked"), "invalid_request");
}

TEST(Framing, KnowsOneTransferCodingOnly)
{
    EXPECT_EQ(with_fields("Transfer-Encoding: chunked"), "ok");
    EXPECT_EQ(with_fields("TRANSFER-ENCODING: Chunked"), "ok");
    for (const char* value :
         {"identity", "gzip, chunked", "chunked, gzip", "xchunked", "chunked, chunked"})
        EXPECT_EQ(with_fields(std::string("Transfer-Encoding: ") + value), "not_implemented")
            << value;
    for (const char* value :
         {"", ", chunked", "chunked,", "\"chunked\"", "chunked;q=1", "\x0b\x63hunked"})
        EXPECT_EQ(with_fields(std::string("Transfer-Encoding: ") + value), "invalid_request")
            << value;
    EXPECT_EQ(with_fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
              "invalid_request");
    EXPECT_EQ(judge("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
              "invalid_request");
}

TEST(Framing, WantsExactlyOneProperHost)
{
    const auto with_host = [](const std::string& host) {
        return judge("GET / HTTP/1.1\r\n" + host + "\r\n");
    };
    for (const char* host : {"a", "a.b:80", "127.0.0.1:8080", "[::1]", "[::1]:80", "a_b-c~%41"})
        EXPECT_EQ(with_host(std::string("Host: ") + host + "\r\n"), "ok") << host;
    for (const char* host : {"", "a, b", "u@a", "a/b", "a:99999", "a:-1", "a:b", "a:", "[::1", "[]",
                             "[x]:1", "a b", "a:1:2"})
        EXPECT_EQ(with_host(std::string("Host: ") + host + "\r\n"), "invalid_request") << host;
    EXPECT_EQ(with_host(""), "invalid_request");
    EXPECT_EQ(with_host("Host: a\r\nHost: a\r\n"), "invalid_request");
}

TEST(Framing, KnowsWhoWantsToStay)
{
    const auto stays = [](const std::string& version, const std::string& field) {
        return parsed("GET / HTTP/" + version + "\r\nHost: a\r\n" + field + "\r\n\r\n").keep_alive;
    };
    EXPECT_TRUE(stays("1.1", "X: y"));
    EXPECT_FALSE(stays("1.1", "Connection: upgrade, Close"));
    EXPECT_FALSE(stays("1.0", "X: y"));
    EXPECT_TRUE(stays("1.0", "Connection: Keep-Alive"));
}

TEST(Framing, UnderstandsOneExpectation)
{
    EXPECT_EQ(with_fields("Expect: 100-Continue"), "ok");
    EXPECT_EQ(with_fields("Expect: 200-ok"), "expectation_failed");
}

TEST(Framing, LimitsTargetAndFieldsEachForItself)
{
    const auto target = [](std::size_t size) {
        return judge("GET /" + std::string(size - 1, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n");
    };
    EXPECT_EQ(target(max_target_size), "ok");
    EXPECT_EQ(target(max_target_size + 1), "uri_too_long");
    EXPECT_EQ(judge("GET /" + std::string(max_target_size, 'a')),
              "uri_too_long");  // Without an end.

    const auto fields = [](std::size_t size) {
        const std::string start = "Host: a\r\nX: ";
        return judge("GET / HTTP/1.1\r\n" + start + std::string(size - start.size() - 2, 'a') +
                     "\r\n\r\n");
    };
    EXPECT_EQ(fields(max_fields_size), "ok");
    EXPECT_EQ(fields(max_fields_size + 3), "headers_too_large");
    EXPECT_EQ(judge("GET / HTTP/1.1\r\nX: " + std::string(max_fields_size, 'a')),
              "headers_too_large");

    std::string many = "Host: a\r\n";
    for (std::size_t i = 1; i < max_field_count; ++i) many += "X: y\r\n";
    EXPECT_EQ(judge("GET / HTTP/1.1\r\n" + many + "\r\n"), "ok");
    EXPECT_EQ(judge("GET / HTTP/1.1\r\n" + many + "X: y\r\n\r\n"), "headers_too_large");
}

TEST(Framing, TellsStrangersAtOnce)
{
    EXPECT_EQ(judge("\x16\x03\x01\x02"), "invalid_request");    // A TLS ClientHello.
    EXPECT_EQ(judge(std::string(40, 'A')), "invalid_request");  // No method is that long.
    EXPECT_EQ(judge("\xff\xfe\xfd"), "invalid_request");
}

TEST(Framing, KnowsOfARefusedHeadWhatIsWellFormed)
{
    const auto known = known_part(
        "POST /v1/models?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: none\r\nBad Name: x\r\n"
        "Origin: https://a.example\r\n\r\nX-Of-The-Body: y\r\n\r\n");
    EXPECT_EQ(known.method, "POST");
    EXPECT_EQ(known.path, "/v1/models");
    EXPECT_EQ(known.field("origin"), "https://a.example");
    EXPECT_FALSE(known.content_length);
    EXPECT_FALSE(known.field("x-of-the-body"));
    EXPECT_EQ(known.fields.size(), 3U);
}

TEST(Framing, KnowsNothingOfALineThatIsNotFinished)
{
    EXPECT_EQ(known_part("GET /a HTTP/1.1").path, "");
    const auto known = known_part("GET /a HTTP/1.1\r\nHost: a\r\nOrigin: https://a.exam");
    EXPECT_EQ(known.path, "/a");
    EXPECT_EQ(known.fields.size(), 1U);
    const auto other = known_part("GET /a HTTP/3\r\nOrigin: https://a.example\r\n");
    EXPECT_EQ(other.path, "");
    EXPECT_EQ(other.field("origin"), "https://a.example");
    for (const std::string_view bytes : {"", "\r\n", "\r\n\r\n", "\n", "\x16\x03\x01", ": :\r\n"})
        EXPECT_EQ(known_part(bytes).path, "") << bytes;
}

}  // namespace
}  // namespace parley::http
