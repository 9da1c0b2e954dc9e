#include "webhook/target.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::webhook {
namespace {

std::string code_of(const Result<http::client::Url>& parsed)
{
    if (parsed) return "";
    EXPECT_EQ(parsed.error().code, Errc::validation_failed);
    EXPECT_EQ(parsed.error().faults.front().where, "#/url");
    return parsed.error().faults.front().code;
}

TEST(Target, TakesUsualUrls)
{
    for (const char* url :
         {"https://example.com", "https://example.com/a/b?c=d", "https://example.com:443/",
          "https://example.com:80/", "https://example.com:1024/", "https://example.com:65535/",
          "https://8.8.8.8/", "https://[2606:4700::1111]/", "HTTPS://EXAMPLE.COM/"})
        EXPECT_EQ(code_of(parse_target(url, false)), "") << url;
}

// Every way to write an address that programs other than ours understand must be refused, or be
// read as that address: what is checked is what is connected to.
TEST(Target, RefusesWhatOthersReadDifferently)
{
    for (const char* url : {"https://127.1/",
                            "https://2130706433/",
                            "https://0x7f000001/",
                            "https://0177.0.0.1/",
                            "https://127.0.0.1.",
                            "https://127.0.0.1./",
                            "https://0x7f.1/",
                            "https://127.0.0x1/",
                            "https://example.com./",
                            "https://localhost./",
                            "https://[::1%25lo]/",
                            "https://[fe80::1%eth0]/",
                            "https://[::1/",
                            "https://%31%32%37.0.0.1/",
                            "https://127。0。0。1/",
                            "https://①②⑦.0.0.1/",
                            "https://user@example.com/",
                            "https://user:pw@example.com/",
                            "https://example.com#fragment",
                            "https://example.com/#fragment",
                            "https://example.com\\@127.0.0.1/",
                            "https://example.com/ x",
                            "https://exa mple.com/",
                            "https://",
                            "https:///x",
                            "//example.com/",
                            "example.com",
                            "https:example.com",
                            "ftp://example.com/",
                            "file:///etc/passwd",
                            "gopher://example.com:70/",
                            "javascript:alert(1)",
                            "https://example.com:0/",
                            "https://example.com:65536/",
                            "https://example.com:4a3/",
                            "https://example.com:+443/",
                            "https://example.com:0443/",
                            "https://example.com:/",
                            ""})
        EXPECT_EQ(code_of(parse_target(url, true)), "invalid") << url;
}

TEST(Target, RefusesPortsOfOtherServices)
{
    for (const char* port : {"1", "22", "25", "53", "81", "442", "444", "587", "993", "1023"})
        EXPECT_EQ(code_of(parse_target("https://example.com:" + std::string(port) + "/", true)),
                  "not_allowed")
            << port;
}

TEST(Target, TakesPlainHttpOnlyIfItIsAllowed)
{
    EXPECT_EQ(code_of(parse_target("http://example.com/", false)), "not_allowed");
    EXPECT_EQ(code_of(parse_target("http://example.com/", true)), "");
}

TEST(Target, LimitsTheLength)
{
    const std::string longest = "https://example.com/" + std::string(2048 - 20, 'x');
    EXPECT_EQ(code_of(parse_target(longest, false)), "");
    EXPECT_EQ(code_of(parse_target(longest + "x", false)), "too_long");
}

}  // namespace
}  // namespace parley::webhook
