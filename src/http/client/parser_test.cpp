#include "http/client/parser.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

// The result for a response that is fed in pieces of `size` bytes.
struct Reading {
    std::optional<ClientFailure> fault;
    std::string what;
    ClientHead head;
    std::string body;
    std::string rest;
    bool done = false;
    bool keep_alive = false;
};

struct How {
    std::size_t size = 1'000'000;
    bool bodiless = false;
    ResponseParser::Limits limits{.head = 1024, .body = 1000};
    bool ends = false;  // The connection ends after the bytes.
};

Reading read(std::string_view text, const How& how = {})
{
    Reading reading;
    ResponseParser parser(how.bodiless, how.limits);
    std::size_t fed = 0;
    while (!parser.done()) {
        const auto step = parser.feed(reading.rest);
        if (!step) {
            reading.fault = step.error().kind;
            reading.what = step.error().what;
            return reading;
        }
        reading.body += step->body;
        reading.rest.erase(0, step->used);
        if (step->used > 0) continue;
        if (fed == text.size()) break;
        const std::string_view more = text.substr(fed, how.size);
        fed += more.size();
        reading.rest += more;
    }
    reading.done = parser.done() || (how.ends && parser.end_of_input());
    if (reading.done) reading.keep_alive = parser.keep_alive();
    reading.head = parser.head();
    reading.rest += text.substr(fed);
    return reading;
}

// Tests the text in one piece, and byte by byte.
void expect_fault(std::string_view text, ClientFailure fault, const std::string& why = "")
{
    for (const std::size_t size : {std::size_t{1}, text.size()}) {
        const auto reading = read(text, {.size = size});
        EXPECT_EQ(reading.fault, fault) << text << " in pieces of " << size;
        EXPECT_NE(reading.what.find(why), std::string::npos) << reading.what;
    }
}

TEST(ResponseParser, ReadsHeadAndBody)
{
    const auto reading = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b \r\n\r\nhelloHTTP");
    EXPECT_TRUE(reading.done);
    EXPECT_TRUE(reading.keep_alive);
    EXPECT_EQ(reading.head.status, 200);
    EXPECT_EQ(reading.head.field("x-a"), "b");
    EXPECT_EQ(reading.body, "hello");
    EXPECT_EQ(reading.rest, "HTTP");
}

TEST(ResponseParser, ReadsTheSameByteByByte)
{
    for (const char* text :
         {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
          "HTTP/1.1 200 \r\nTransfer-Encoding: "
          "chunked\r\n\r\n2\r\nhe\r\n3;x=\"y\"\r\nllo\r\n0\r\n\r\n",
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n"
          "5\r\nhello\r\n000;a\r\nX-Trailer: 1\r\n\r\n"}) {
        for (const std::size_t size : {1, 2, 3, 4, 5, 7, 1000}) {
            const auto reading = read(text, {.size = size});
            EXPECT_TRUE(reading.done && reading.keep_alive) << text << size << reading.what;
            EXPECT_EQ(reading.body, "hello") << text << size;
            EXPECT_EQ(reading.head.status, 200);
        }
    }
}

TEST(ResponseParser, ReadsAnEmptyChunkedBodyByteByByte)
{
    const auto reading =
        read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {.size = 1});
    EXPECT_TRUE(reading.done);
    EXPECT_EQ(reading.body, "");
}

TEST(ResponseParser, DropsTrailers)
{
    const auto reading =
        read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n");
    EXPECT_TRUE(reading.done);
    EXPECT_FALSE(reading.head.field("x-t"));
}

TEST(ResponseParser, TakesTheEndOfTheConnectionForTheEndOfABodyWithoutLength)
{
    const auto reading = read("HTTP/1.0 200 OK\r\nX: y\r\n\r\nall of it", {.ends = true});
    EXPECT_TRUE(reading.done);
    EXPECT_FALSE(reading.keep_alive);
    EXPECT_EQ(reading.body, "all of it");
}

TEST(ResponseParser, TellsAnAnswerThatWasCutOff)
{
    for (const char* text :
         {"", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"}) {
        const auto reading = read(text, {.ends = true});
        EXPECT_FALSE(reading.fault) << text;
        EXPECT_FALSE(reading.done) << text;
    }
}

TEST(ResponseParser, KnowsAnswersWithoutBody)
{
    EXPECT_TRUE(read("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", {.bodiless = true}).done);
    EXPECT_TRUE(read("HTTP/1.1 204 No Content\r\n\r\n").done);
    EXPECT_TRUE(read("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n").done);
    EXPECT_TRUE(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").done);
}

TEST(ResponseParser, TellsWhetherTheConnectionMayBeKept)
{
    EXPECT_FALSE(read("HTTP/1.1 204 -\r\nConnection: close\r\n\r\n").keep_alive);
    EXPECT_FALSE(read("HTTP/1.0 204 -\r\n\r\n").keep_alive);
    EXPECT_TRUE(read("HTTP/1.0 204 -\r\nConnection: keep-alive\r\n\r\n").keep_alive);
}

TEST(ResponseParser, RefusesAmbiguousFraming)
{
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const auto malformed = ClientFailure::malformed;
    expect_fault(ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", malformed);
    expect_fault(ok + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", malformed);
    expect_fault(ok + "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\n", malformed, "coding");
    expect_fault(ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", malformed, "coding");
    expect_fault(ok + "Transfer-Encoding: chunked, gzip\r\n\r\n", malformed, "coding");
    expect_fault(ok + "Transfer-Encoding: identity\r\n\r\n", malformed, "coding");
    expect_fault(ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                 malformed);
    expect_fault("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", malformed, "HTTP/1.0");
    for (const char* length : {"5\r\nContent-Length: 6", "5, 6", "-1", "+5", "0x5", "5 5", "", "5,",
                               "18446744073709551616"})
        expect_fault(ok + "Content-Length: " + length + "\r\n\r\n", malformed);
}

TEST(ResponseParser, RefusesWhatIsNotHttp)
{
    for (const char* text :
         {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n",
          "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n",
          "HTTP/1.1 101 Switching\r\n\r\n", "HTTP/1.1 200 OK\r\nX y\r\n\r\n",
          "HTTP/1.1 200 OK\r\nX : y\r\n\r\n", "HTTP/1.1 200 OK\nX: y\n\n\r\n\r\n",
          "HTTP/1.1 200 OK\r\nX: y\x01\r\n\r\n"})
        expect_fault(text, ClientFailure::malformed);
}

TEST(ResponseParser, RefusesMalformedChunks)
{
    const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const char* body :
         {"x\r\n\r\n", "-1\r\n\r\n", "0x5\r\nhello\r\n\r\n", "5\nhello\r\n0\r\n\r\n",
          "5\r\nhelloX\r\n0\r\n", "5 \r\nhello\r\n0\r\n\r\n12345", "10000000000000000\r\nhello"})
        expect_fault(head + body, ClientFailure::malformed);
    expect_fault(head + "5;" + std::string(300, 'x') + "\r\nhello\r\n", ClientFailure::malformed,
                 "extensions");
}

TEST(ResponseParser, LimitsTheHead)
{
    const std::string start = "HTTP/1.1 204 OK\r\nX: ";
    const std::size_t room = 1024 - start.size() - 4;
    for (const std::size_t size : {1, 10, 100, 5000}) {
        EXPECT_TRUE(read(start + std::string(room, 'x') + "\r\n\r\n", {.size = size}).done) << size;
        EXPECT_EQ(read(start + std::string(room + 1, 'x') + "\r\n\r\n", {.size = size}).fault,
                  ClientFailure::too_large)
            << size;
        EXPECT_EQ(read(start + std::string(5000, 'x'), {.size = size}).fault,
                  ClientFailure::too_large);
    }
    std::string many = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 300; ++i) many += "a: b\r\n";
    expect_fault(many, ClientFailure::too_large);
}

TEST(ResponseParser, LimitsInterimAnswersTogether)
{
    std::string text;
    for (int i = 0; i < 100; ++i) text += "HTTP/1.1 102 Processing\r\n\r\n";
    expect_fault(text, ClientFailure::too_large);
}

TEST(ResponseParser, LimitsTheBodyHoweverItIsFramed)
{
    const auto too_large = ClientFailure::too_large;
    expect_fault("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", too_large);
    expect_fault("HTTP/1.1 200 OK\r\n\r\n" + std::string(1001, 'x'), too_large);
    expect_fault("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n", too_large);
    expect_fault("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n3E8\r\n",
                 too_large);
    EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x'))
                  .body.size(),
              1000u);
    const How endless{.limits = {.head = 1024, .body = {}}};
    EXPECT_TRUE(
        read("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n" + std::string(20000, 'x'), endless)
            .done);
}

}  // namespace
}  // namespace parley::http::client
