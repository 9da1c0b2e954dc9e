#include "tracing/tracing.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <set>

namespace parley::tracing {
namespace {

using testing::MatchesRegex;

constexpr const char* sampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
constexpr const char* not_sampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

struct Collected final : Sink {
    void take(Span span) override { spans.push_back(std::move(span)); }
    std::vector<Span> spans;
};

class TracingTest : public testing::Test {
protected:
    TracingTest() { turn_on(collected); }
    ~TracingTest() override { turn_off(); }

    Collected collected;
    std::vector<Span>& spans = collected.spans;
};

TEST_F(TracingTest, ASpanBelongsToTheTraceOfItsCaller)
{
    {
        OpenSpan span("asked", Kind::server, sampled);
        EXPECT_TRUE(span.is_recorded());
        span.rename("answered");
        span.add("model", "small");
        span.add("tokens", 6);
        span.add("tokens", 7);
        span.fail("overloaded");
        EXPECT_EQ(spans.size(), 0U) << "it has not ended";
    }
    ASSERT_EQ(spans.size(), 1U);
    const Span& span = spans.front();
    EXPECT_EQ(span.trace, "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(span.parent, "b7ad6b7169203331");
    EXPECT_THAT(span.id, MatchesRegex("[0-9a-f]{16}"));
    EXPECT_EQ(span.name, "answered");
    EXPECT_EQ(span.kind, Kind::server);
    EXPECT_EQ(span.attributes, (std::vector<Attribute>{{"model", "small"}, {"tokens", 7}}));
    EXPECT_EQ(span.error, "overloaded");
    EXPECT_LE(span.begin, span.end);
}

TEST_F(TracingTest, APartNamesItsSpanAsParent)
{
    {
        const OpenSpan whole("whole", Kind::server, "");
        EXPECT_THAT(whole.traceparent(), MatchesRegex("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
        const OpenSpan part("part", Kind::client, whole.traceparent());
    }
    ASSERT_EQ(spans.size(), 2U);
    EXPECT_EQ(spans[0].name, "part");
    EXPECT_EQ(spans[0].trace, spans[1].trace);
    EXPECT_EQ(spans[0].parent, spans[1].id);
    EXPECT_EQ(spans[1].parent, "");
}

TEST_F(TracingTest, NothingIsRecordedThatTheCallerDoesNotSample)
{
    const OpenSpan span("asked", Kind::server, not_sampled);
    EXPECT_FALSE(span.is_recorded());
    EXPECT_EQ(span.traceparent(), not_sampled);
}

TEST_F(TracingTest, NothingIsRecordedWhileItIsOff)
{
    turn_off();
    OpenSpan span("asked", Kind::server, sampled);
    EXPECT_EQ(span.traceparent(), sampled);
    EXPECT_EQ(OpenSpan("asked", Kind::server, "").traceparent(), "");
    record("commit", std::chrono::seconds(1), {});
    span.end();
    EXPECT_TRUE(spans.empty());
}

TEST_F(TracingTest, EndsOnceAndNotIfItWasDiscarded)
{
    OpenSpan span("asked", Kind::server, "");
    span.end();
    span.end();
    OpenSpan("probed", Kind::server, "").discard();
    EXPECT_EQ(spans.size(), 1U);
}

TEST_F(TracingTest, IdsDiffer)
{
    std::set<std::string> ids;
    for (int i = 0; i < 100; ++i) record("commit", std::chrono::milliseconds(5), {{"changes", 3}});
    for (const Span& span : spans) {
        ids.insert(span.trace);
        ids.insert(span.id);
        EXPECT_EQ(span.end - span.begin, std::chrono::milliseconds(5));
    }
    EXPECT_EQ(ids.size(), 200U);
}

}  // namespace
}  // namespace parley::tracing
