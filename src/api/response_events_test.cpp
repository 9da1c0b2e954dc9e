// The events of a response: their numbers do not depend on where a reader begins.
#include "api/response_events.hpp"

#include "api/response_view.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace parley::api {
namespace {

struct Seen {
    std::string type;
    std::int64_t number = 0;

    bool operator==(const Seen&) const = default;
};

std::vector<Seen> events_in(const std::string& stream)
{
    std::vector<Seen> seen;
    for (std::size_t at = 0; at < stream.size();) {
        const std::size_t end = stream.find("\n\n", at);
        const std::string event = stream.substr(at, end - at);
        const std::size_t data = event.find("\ndata: ");
        const auto json = boost::json::parse(event.substr(data + 7));
        EXPECT_EQ(event.substr(7, data - 7), json.at("type").as_string());
        seen.push_back({event.substr(7, data - 7), json.at("sequence_number").as_int64()});
        at = end + 2;
    }
    return seen;
}

AnswerForm plain_form() { return {.message = "msg_1", .base = "1"}; }

AnswerForm form_with_calls()
{
    AnswerForm form = plain_form();
    form.tools = std::make_shared<const engine::Tools>();
    form.tool_use = engine::ToolUse::passed_on;
    return form;
}

// The run of a response, as its reader sees it.
struct Played {
    std::vector<std::string> deltas;
    ResponseStatus status = ResponseStatus::completed;
    AnswerForm form = plain_form();

    std::int64_t last() const { return static_cast<std::int64_t>(deltas.size()) + 2; }

    ResponseView ended() const
    {
        ResponseView view{.id = "resp_1", .status = status};
        std::string text;
        for (const std::string& delta : deltas) text += delta;
        add_answer(view, form, text, StopReason::end_turn, {});
        return view;
    }

    // The stream of a reader that has seen this event.
    std::string after(std::int64_t seen) const
    {
        ResponseEvents events({.id = "resp_1"}, form, seen);
        const std::int64_t skipped = events.run_events_seen(last());
        events.skip_run_events(skipped);
        std::string stream;
        const auto add = [&](const http::Frame& frame) {
            if (frame) stream += *frame;
        };
        if (skipped < 1) add(events.begin());
        for (std::size_t i = 0; i < deltas.size(); ++i)
            if (skipped < static_cast<std::int64_t>(i) + 2)
                add(events.pieces(std::span(&deltas[i], 1)));
        for (const http::Frame& frame : events.end(ended())) add(frame);
        EXPECT_LE(events.is_behind_reader(), stream.empty());
        return stream;
    }
};

const std::vector<std::string> two_calls{
    "He", "llo\n<tool", "_call>\n{\"id\":\"c\",\"name\":\"f\",\"argum", "ents\":{\"a\"",
    ":1}}\n</tool_call>\n<tool_call>\n{\"name\":\"g\",\"arguments\":{}}\n</tool_call>"};

TEST(ResponseEvents, HaveTheNamesAndNumbersOfOpenAi)
{
    const Played played{{"a", "b"}};
    EXPECT_EQ(events_in(played.after(-1)), (std::vector<Seen>{{"response.created", 0},
                                                              {"response.in_progress", 1},
                                                              {"response.output_item.added", 2},
                                                              {"response.content_part.added", 3},
                                                              {"response.output_text.delta", 4},
                                                              {"response.output_text.delta", 5},
                                                              {"response.output_text.done", 6},
                                                              {"response.content_part.done", 7},
                                                              {"response.output_item.done", 8},
                                                              {"response.completed", 9}}));
}

TEST(ResponseEvents, AreTheSameBytesFromAnyNumberOn)
{
    for (const Played& played :
         {Played{{"a", "b", "c"}}, Played{{"a"}}, Played{{}}, Played{{}, ResponseStatus::failed},
          Played{{"a", "b"}, ResponseStatus::failed}, Played{{}, ResponseStatus::cancelled},
          Played{two_calls, ResponseStatus::completed, form_with_calls()},
          Played{two_calls, ResponseStatus::failed, form_with_calls()},
          Played{{}, ResponseStatus::completed, form_with_calls()},
          Played{{}, ResponseStatus::failed, form_with_calls()}}) {
        const std::string all = played.after(-1);
        const auto events = events_in(all);
        for (std::size_t i = 0; i < events.size(); ++i)
            EXPECT_EQ(events[i].number, static_cast<std::int64_t>(i));
        EXPECT_EQ(played.after(events.back().number + 1), "");
        std::size_t begin = 0;
        for (const Seen& event : events) {
            begin = all.find("\n\n", begin) + 2;
            EXPECT_EQ(played.after(event.number), all.substr(begin)) << event.number;
        }
        EXPECT_EQ(begin, all.size());
    }
}

TEST(ResponseEvents, OfCallsHaveTheNamesOfOpenAi)
{
    const Played played{two_calls, ResponseStatus::completed, form_with_calls()};
    const std::string stream = played.after(-1);
    std::vector<std::string> types;
    for (const Seen& each : events_in(stream)) types.push_back(each.type.substr(9));
    EXPECT_EQ(types,
              (std::vector<std::string>{
                  "created", "in_progress", "output_item.added", "content_part.added",
                  "output_text.delta", "output_text.delta", "output_text.done", "content_part.done",
                  "output_item.done", "output_item.added", "function_call_arguments.delta",
                  "function_call_arguments.delta", "function_call_arguments.done",
                  "output_item.done", "output_item.added", "function_call_arguments.delta",
                  "function_call_arguments.done", "output_item.done", "completed"}));
    for (
        const char* expected :
        {R"("type":"function_call","status":"in_progress","call_id":"c","name":"f","arguments":"")",
         R"("item_id":"fc_1_0","output_index":1,"name":"f","arguments":"{\"a\":1}")",
         R"("id":"fc_1_1","type":"function_call","status":"completed","call_id":"call_11")"})
        EXPECT_NE(stream.find(expected), stream.npos) << expected << "\n" << stream;
}

TEST(ResponseEvents, KnowAReaderThatHasMoreThanThereIs)
{
    for (const AnswerForm& form : {plain_form(), form_with_calls()}) {
        ResponseEvents events({.id = "resp_1"}, form, 3);
        events.begin();
        EXPECT_TRUE(events.is_behind_reader());
        const std::string delta = "a";
        events.pieces(std::span(&delta, 1));
        EXPECT_FALSE(events.is_behind_reader());
    }
}

TEST(ResponseEvents, EndByStatus)
{
    const auto last = [](ResponseStatus status) {
        return events_in(Played{{"a"}, status}.after(-1)).back().type;
    };
    EXPECT_EQ(last(ResponseStatus::completed), "response.completed");
    EXPECT_EQ(last(ResponseStatus::incomplete), "response.incomplete");
    EXPECT_EQ(last(ResponseStatus::cancelled), "response.incomplete");
    EXPECT_EQ(last(ResponseStatus::failed), "response.failed");
}

TEST(ResponseEvents, HaveTheWholeTextAtOnceIfTheDeltasAreGone)
{
    const Played played{{"a", "b", "c"}};
    ResponseEvents events({.id = "resp_1"}, played.form);
    std::string stream = *events.whole_text("abc", played.last() - 1);
    for (const http::Frame& frame : events.end(played.ended())) stream += *frame;
    const auto seen = events_in(stream);
    EXPECT_EQ(seen[4], (Seen{"response.output_text.delta", 6}));
    EXPECT_EQ(seen.back(), (Seen{"response.completed", 10}));
    EXPECT_NE(stream.find(R"("delta":"abc")"), stream.npos);
}

}  // namespace
}  // namespace parley::api
