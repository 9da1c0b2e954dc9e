#include "http/chunked.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

struct Decoded {
    std::string body;
    std::size_t used = 0;
    bool done = false;
    std::optional<Errc> error;
};

Decoded decode(std::string_view input, std::size_t piece = 1'000'000, std::size_t limit = 1000)
{
    ChunkedDecoder decoder(limit);
    Decoded out;
    while (out.used < input.size() && !decoder.done()) {
        const auto fed = decoder.feed(input.substr(out.used, piece), out.body);
        if (!fed) {
            out.error = fed.error().code;
            return out;
        }
        out.used += *fed;
    }
    out.done = decoder.done();
    return out;
}

TEST(Chunked, DecodesHoweverTheBytesArrive)
{
    const std::string_view input =
        "5\r\nhello\r\nA;x=y;z=\"q\\\"\"\r\n, it is me\r\n000\r\nX-Sum: 1\r\n\r\nGET";
    for (std::size_t piece = 1; piece <= input.size(); ++piece) {
        const auto decoded = decode(input, piece);
        EXPECT_TRUE(decoded.done) << piece;
        EXPECT_EQ(decoded.body, "hello, it is me");
        EXPECT_EQ(input.substr(decoded.used), "GET");
    }
}

TEST(Chunked, IsNotDoneBeforeItsEnd)
{
    for (const char* input : {"5\r\nhel", "5\r\nhello\r\n", "0\r\n", "0\r\nX: y\r\n", "5"}) {
        const auto decoded = decode(input);
        EXPECT_FALSE(decoded.done) << input;
        EXPECT_FALSE(decoded.error) << input;
    }
}

TEST(Chunked, RefusesWhatCanBeReadInTwoWays)
{
    for (const char* input : {"0x5\r\nhello\r\n",
                              "+5\r\nhello\r\n",
                              "-1\r\n",
                              " 5\r\nhello\r\n",
                              "5 \r\nhello\r\n",
                              "5\nhello\r\n",
                              "5\r\nhello\n",
                              "5\r\nhello!!\r\n",
                              "5\r\nhello0\r\n\r\n",
                              "\r\n",
                              "x\r\n",
                              "1_0\r\n",
                              "5;\r\nhello\r\n",
                              "5;bad[=x\r\nhello\r\n",
                              "5;a=\"b\r\n",
                              "5;a=\r\n",
                              "FFFFFFFFFFFFFFFF0\r\n",
                              "0\r\n\n",
                              "0\r\nX : y\r\n\r\n",
                              "0\r\n folded: x\r\n\r\n"})
        EXPECT_EQ(decode(input).error, Errc::invalid_request) << input;
}

TEST(Chunked, CountsTheBodyAsItComes)
{
    EXPECT_TRUE(decode("5\r\nhello\r\n0\r\n\r\n", 100, 5).done);
    EXPECT_EQ(decode("6\r\n", 100, 5).error, Errc::body_too_large);
    EXPECT_EQ(decode("3\r\nabc\r\n3\r\n", 100, 5).error, Errc::body_too_large);
    EXPECT_EQ(decode("FFFFFFFFFFFFFFFF\r\n", 100, 5).error, Errc::body_too_large);
}

TEST(Chunked, LimitsWhatIsNotBody)
{
    EXPECT_EQ(decode("5;x=" + std::string(5000, 'a')).error, Errc::invalid_request);
    EXPECT_EQ(decode("0\r\nX: " + std::string(5000, 'a')).error, Errc::invalid_request);
    std::string many;
    for (int i = 0; i < 200; ++i) many += "1;x=" + std::string(3000, 'a') + "\r\nb\r\n";
    EXPECT_EQ(decode(many).error, Errc::invalid_request);
}

}  // namespace
}  // namespace parley::http
