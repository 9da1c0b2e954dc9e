#include "http/client/url.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

TEST(ClientUrl, ReadsHostPortAndTarget)
{
    const Url url = Url::parse("https://API.Example.com:8443/v1/chat?x=1&y=%20").value();
    EXPECT_TRUE(url.secure());
    EXPECT_EQ(url.host(), "api.example.com");
    EXPECT_FALSE(url.host_is_address());
    EXPECT_EQ(url.port(), 8443);
    EXPECT_EQ(url.target(), "/v1/chat?x=1&y=%20");
    EXPECT_EQ(url.authority(), "api.example.com:8443");
}

TEST(ClientUrl, KnowsThePortOfEachScheme)
{
    EXPECT_EQ(Url::parse("http://a").value().port(), 80);
    EXPECT_EQ(Url::parse("HTTPS://a").value().port(), 443);
    EXPECT_EQ(Url::parse("https://a:443/").value().authority(), "a");
    EXPECT_EQ(Url::parse("https://a:80/").value().authority(), "a:80");
    EXPECT_EQ(Url::parse("https://a/").value().host_and_port(), "a:443");
}

TEST(ClientUrl, AlwaysHasAPath)
{
    EXPECT_EQ(Url::parse("http://a").value().target(), "/");
    EXPECT_EQ(Url::parse("http://a?q").value().target(), "/?q");
}

TEST(ClientUrl, ReadsAddresses)
{
    const Url v6 = Url::parse("http://[2001:DB8:0::1]:8080/x").value();
    EXPECT_EQ(v6.host(), "2001:db8::1");
    EXPECT_TRUE(v6.host_is_address());
    EXPECT_EQ(v6.authority(), "[2001:db8::1]:8080");
    EXPECT_TRUE(Url::parse("http://192.0.2.1/").value().host_is_address());
}

TEST(ClientUrl, RefusesWhatIsNotAPlainUrl)
{
    for (const char* text : {"",
                             "/",
                             "a",
                             "//a/",
                             "ftp://a/",
                             "http:/a",
                             "http:a",
                             "http://",
                             "http:///x",
                             "http://?x",
                             "http://user@a/",
                             "http://user:word@a/",
                             "http://a@b@c/",
                             "http://a/#top",
                             "http://a#top",
                             "http://a:/",
                             "http://a:0/",
                             "http://a:080/",
                             "http://a:65536/",
                             "http://a:+1/",
                             "http://a:-1/",
                             "http://a:1x/",
                             "http://a:80:80/",
                             " http://a/",
                             "http://a /",
                             "http://a/ b",
                             "http://a/\r\nX: y",
                             "http://a/\tb",
                             "http://a/\x7f",
                             "http://a/\xc3\xa4",
                             "http://a/%",
                             "http://a/%4",
                             "http://a/%zz",
                             "http://a/\"",
                             "http://a/<b>",
                             "http://a\\b/"})
        EXPECT_FALSE(Url::parse(text)) << text;
    EXPECT_FALSE(Url::parse(std::string_view("http://a/\0b", 11)));
    EXPECT_FALSE(Url::parse(std::string_view("http://a\0b/", 11)));
}

TEST(ClientUrl, RefusesHostsThatAreNotNames)
{
    for (const char* host : {".",
                             "a..b",
                             ".a",
                             "a.",
                             "-a",
                             "a-",
                             "a-.b",
                             "a%41",
                             "a,b",
                             "a*b",
                             "\xc3\xa4",
                             "[",
                             "[]",
                             "[::1",
                             "::1",
                             "[::1]x",
                             "[fe80::1%25eth0]",
                             "[fe80::1%lo]",
                             "[v1.x]",
                             "[127.0.0.1]",
                             "[::g]"})
        EXPECT_FALSE(Url::parse("http://" + std::string(host) + "/")) << host;
    EXPECT_FALSE(Url::parse("http://" + std::string(64, 'a')));
    EXPECT_TRUE(Url::parse("http://" + std::string(63, 'a')));
    std::string long_name = "a";
    while (long_name.size() < 253) long_name += ".a";
    EXPECT_TRUE(Url::parse("http://" + long_name));
    EXPECT_FALSE(Url::parse("http://b" + long_name));
}

TEST(ClientUrl, RefusesAddressesInDisguise)
{
    for (const char* host :
         {"127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1.1", "127.0.0.256",
          "127.0.0.01", "1.2.3", "a.1", "a.0x1", "0x", "a.0x"})
        EXPECT_FALSE(Url::parse("http://" + std::string(host) + "/")) << host;
}

TEST(ClientUrl, RefusesTargetsLongerThanEightKib)
{
    EXPECT_TRUE(Url::parse("http://a/" + std::string(8191, 'x')));
    EXPECT_FALSE(Url::parse("http://a/" + std::string(8192, 'x')));
}

TEST(ClientUrl, CanPointElsewhereOnTheSameHost)
{
    const Url url = Url::parse("https://a:1/x").value();
    EXPECT_EQ(url.with_target("/y?z").value().target(), "/y?z");
    EXPECT_EQ(url.with_target("/y?z").value().host_and_port(), "a:1");
    for (const char* target : {"", "y", "/y\r\nX: z", "/#", "http://b/"})
        EXPECT_FALSE(url.with_target(target)) << target;
}

TEST(ClientUrl, NamesTheRightFault)
{
    EXPECT_EQ(Url::parse("http://a#top").error().message,
              "The URL must not contain a fragment (#).");
    EXPECT_EQ(Url::parse("http://a./").error().message,
              "The host of the URL must not end with a dot.");
}

TEST(ClientUrl, DoesNotRepeatTheUrlInItsErrors)
{
    const auto refused = Url::parse("http://a/?key=hunter2 ");
    EXPECT_EQ(refused.error().code, Errc::invalid_request);
    EXPECT_EQ(refused.error().message.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace parley::http::client
