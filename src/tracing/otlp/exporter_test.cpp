#include "tracing/otlp/exporter.hpp"

#include "base/json.hpp"
#include "http/client/peer_for_tests.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace parley::tracing::otlp {
namespace {

using namespace std::chrono_literals;

TEST(OtlpJson, WritesWhatCollectorsRead)
{
    const TimePoint begin(std::chrono::nanoseconds(1'769'851'800'000'000'001));
    const std::vector<Span> spans{
        {.trace = "0af7651916cd43dd8448eb211c80319c",
         .id = "b7ad6b7169203331",
         .parent = "00f067aa0ba902b7",
         .name = "GET /v1/api/me",
         .kind = Kind::server,
         .begin = begin,
         .end = begin + 5us,
         .attributes = {{"http.route", "/v1/api/me"}, {"http.response.status_code", 200}},
         .error = "internal"},
        {.trace = "0af7651916cd43dd8448eb211c80319c", .id = "b7ad6b7169203332", .name = "commit"}};
    const auto written = json::parse(traces_json({"1.0", "host \"a\""}, spans)).value();
    const auto& of_resource = written.at("resourceSpans").at(0);
    const auto& about = of_resource.at("resource").at("attributes");
    EXPECT_EQ(about.at(0).at("value").at("stringValue").as_string(), "parley");
    EXPECT_EQ(about.at(2).at("value").at("stringValue").as_string(), "host \"a\"");
    const auto& list = of_resource.at("scopeSpans").at(0).at("spans");
    const auto& first = list.at(0);
    EXPECT_EQ(first.at("traceId").as_string(), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(first.at("parentSpanId").as_string(), "00f067aa0ba902b7");
    EXPECT_EQ(first.at("kind").as_int64(), 2);
    EXPECT_EQ(first.at("startTimeUnixNano").as_string(), "1769851800000000001");
    EXPECT_EQ(first.at("endTimeUnixNano").as_string(), "1769851800000005001");
    EXPECT_EQ(first.at("attributes").at(1).at("value").at("intValue").as_string(), "200");
    EXPECT_EQ(first.at("status").at("code").as_int64(), 2);
    EXPECT_FALSE(list.at(1).as_object().contains("parentSpanId"));
    EXPECT_FALSE(list.at(1).as_object().contains("status"));
}

TEST(OtlpSettings, TakeTheBaseUrlOfACollector)
{
    EXPECT_EQ(traces_url("http://127.0.0.1:4318").value().target(), "/v1/traces");
    EXPECT_EQ(traces_url("https://otel.example.org/team/").value().target(), "/team/v1/traces");
    for (const char* bad : {"", "127.0.0.1:4318", "ftp://host", "http://host/?key=x"})
        EXPECT_FALSE(traces_url(bad)) << bad;
}

TEST(OtlpSettings, ReadHeaderFields)
{
    const auto fields = read_fields("Authorization: Bearer a:b\r\n\n  X-Team :  one \n").value();
    ASSERT_EQ(fields.size(), 2U);
    EXPECT_EQ(fields[0].name, "Authorization");
    EXPECT_EQ(fields[0].value, "Bearer a:b");
    EXPECT_EQ(fields[1].name, "X-Team");
    EXPECT_EQ(fields[1].value, "one");
    const auto wrong = read_fields("A: b\nsecret");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message.find("secret"), std::string::npos);
    EXPECT_FALSE(read_fields(": value"));
}

Options options_without_collector()
{
    // Port 9: nothing listens there.
    return {.url = traces_url("http://127.0.0.1:9").value(), .max_waiting = 8, .interval = 1h};
}

TEST(Exporter, DropsWhatDoesNotFitAndCountsIt)
{
    Exporter exporter(options_without_collector());
    EXPECT_TRUE(is_on());
    for (int i = 0; i < 20; ++i) exporter.take({.name = "x"});
    EXPECT_EQ(exporter.figures().dropped, 12U);
    EXPECT_EQ(exporter.figures().exported, 0U);
}

TEST(Exporter, CountsWhatCouldNotBeSent)
{
    Options options = options_without_collector();
    options.max_batch = 2;
    Exporter exporter(std::move(options));
    exporter.take({.name = "x"});
    exporter.take({.name = "x"});
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (exporter.figures().dropped < 2 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    EXPECT_EQ(exporter.figures().dropped, 2U);
}

Options options_of(const http::client::ScriptedPeer& peer)
{
    return {.url = traces_url("http://" + peer.host_and_port()).value(),
            .max_batch = 1,
            .interval = 1h,
            .timeout = 60s};
}

TEST(Exporter, SendsTheRestAtItsEnd)
{
    std::string heard;
    {
        http::client::ScriptedPeer peer({[&](http::client::ScriptedConnection& client) {
            heard = client.hear();
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }});
        Options options = options_of(peer);
        options.max_batch = 100;
        options.last_wait = 60s;
        Exporter exporter(std::move(options));
        exporter.take({.name = "the last one"});
    }
    EXPECT_NE(heard.find("the last one"), std::string::npos);
}

TEST(Exporter, DoesNotWaitForACollectorThatHangs)
{
    http::client::Signal heard;
    http::client::ScriptedPeer peer({[&](http::client::ScriptedConnection& client) {
        client.hear();
        heard.give();
        client.client_left();
    }});
    Options options = options_of(peer);
    options.last_wait = 20ms;
    std::optional<Exporter> exporter(std::in_place, std::move(options));
    exporter->take({.name = "x"});
    heard.wait();
    exporter->take({.name = "would be sent next"});
    const auto begun = std::chrono::steady_clock::now();
    exporter.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
}

TEST(Exporter, TurnsTracingOffAtItsEnd)
{
    {
        const Exporter exporter(options_without_collector());
    }
    EXPECT_FALSE(is_on());
}

}  // namespace
}  // namespace parley::tracing::otlp
