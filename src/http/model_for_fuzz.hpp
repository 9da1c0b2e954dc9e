// For fuzzers of a whole connection: a simple model of the expected responses. It knows the
// intended requests, and nothing of the code that reads them.
#pragma once

#include "http/scenario_for_fuzz.hpp"

#include <charconv>
#include <optional>

namespace parley::http::fuzz {

struct Expected {
    std::vector<int> statuses;  // Any of these.
    std::optional<std::string> body = {};
    std::optional<bool> closes = {};  // The response announces it.
    bool optional = false;
    bool without_body = false;  // HEAD.
    bool until_closed = false;  // Ends with the connection.
    bool may_invite = false;    // A 100 response.
    bool must_invite = false;
    bool may_process = false;  // A 102 response.
};

// The verdict about a request of which the server gets the first `given` bytes.
struct Judged {
    Expected expected;
    bool goes_on = false;  // Another request may follow.
};

inline Judged judge_echo(const Request& request, bool whole, int unfinished)
{
    const bool fits = request.body.size() <= body_limit;
    Expected expected{.statuses = {200}, .body = request.body, .closes = !request.keeps};
    expected.may_process = request.handling == Handling::hold;
    if (!request.has_body()) return {expected, request.keeps};
    expected.may_invite = request.expects && (request.chunked || fits);
    if (!fits && !request.chunked) {
        const bool findable = !request.expects && request.body.size() <= max_discarded;
        expected.statuses = {413};
        expected.body.reset();
        expected.closes = !(findable && request.keeps);
        return {expected, findable && request.keeps};
    }
    if (whole && fits) return {expected, request.keeps};
    expected.statuses = {whole ? 413 : unfinished};
    if (!whole && !fits)
        expected.statuses.push_back(413);  // If enough of it was sent to exceed
                                           // the limit.
    expected.body.reset();
    expected.closes = true;
    return {expected, false};
}

inline Judged judge(const Request& request, std::size_t number, std::size_t given, End end)
{
    const bool waits = end == End::says_nothing_more;
    const bool head_is_whole = given >= request.head_size;
    const bool whole = given == request.bytes.size();
    if (request.fault != 0 || !head_is_whole) {
        Expected refusal{.statuses = {}, .closes = true, .optional = !head_is_whole && !waits};
        if (request.fault != 0) refusal.statuses.push_back(request.fault);
        if (waits && !head_is_whole) refusal.statuses.push_back(408);
        return {refusal, false};
    }
    Judged judged;
    const bool findable = !request.has_body() || (!request.chunked && !request.expects &&
                                                  request.body.size() <= max_discarded);
    if (request.handling == Handling::refuse) {
        judged.goes_on = request.keeps && findable;
        judged.expected = {.statuses = {429}, .body = "no", .closes = !judged.goes_on};
        judged.expected.without_body = request.is_head;
        if (request.is_head) judged.expected.body = "";
    } else if (request.handling == Handling::stream) {
        judged.goes_on = request.keeps && !request.has_body() && !request.http_1_0;
        judged.expected = {.statuses = {200}, .body = stream_of(number), .closes = !judged.goes_on};
        judged.expected.until_closed = request.http_1_0;
    } else {
        judged = judge_echo(request, whole, waits ? 408 : 400);
    }
    judged.goes_on = judged.goes_on && whole;
    return judged;
}

struct Answer {
    int status = 0;
    std::string fields;
    std::string body;
};

inline std::string_view take_line(std::string_view& rest)
{
    const std::size_t end = rest.find("\r\n");
    require(end != rest.npos, "a line of an answer has no end");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    return line;
}

inline std::size_t number_in(std::string_view text, int base)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    require(error == std::errc() && end == text.data() + text.size(), "a number is malformed");
    return number;
}

inline std::string take_bytes(std::string_view& rest, std::size_t count)
{
    require(rest.size() >= count, "the body of an answer is cut short");
    std::string bytes(rest.substr(0, count));
    rest.remove_prefix(count);
    return bytes;
}

inline Answer take_answer(std::string_view& rest, const Expected& expected)
{
    Answer answer;
    const std::string_view status_line = take_line(rest);
    require(status_line.starts_with("HTTP/1.1 ") && status_line.size() > 13, "no status line");
    answer.status = static_cast<int>(number_in(status_line.substr(9, 3), 10));
    std::optional<std::size_t> length;
    bool chunked = false;
    for (std::string_view line = take_line(rest); !line.empty(); line = take_line(rest)) {
        answer.fields.append(line).append("\n");
        if (line.starts_with("Content-Length: ")) length = number_in(line.substr(16), 10);
        if (line == "Transfer-Encoding: chunked") chunked = true;
    }
    if (answer.status < 200 || expected.without_body) return answer;
    require(!(length && chunked), "an answer has two lengths");
    if (length) {
        answer.body = take_bytes(rest, *length);
    } else if (chunked) {
        for (std::size_t size = 1; size != 0;) {
            size = number_in(take_line(rest), 16);
            answer.body += take_bytes(rest, size);
            require(take_line(rest).empty(), "a chunk is not closed");
        }
    } else {
        require(expected.until_closed, "an answer has no length");
        answer.body = take_bytes(rest, rest.size());
    }
    return answer;
}

// `boundaries`: the number of bytes that had been sent at each moment when the server was idle.
inline std::vector<Expected> model(const Scenario& scenario,
                                   const std::vector<std::size_t>& boundaries)
{
    std::vector<Expected> all;
    std::size_t at = 0;
    for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
        const Request& request = scenario.requests[i];
        if (scenario.bytes.size() <= at) break;
        const std::size_t given = std::min(scenario.bytes.size() - at, request.bytes.size());
        Judged judged = judge(request, i, given, scenario.end);
        const bool stopped_at_head = std::ranges::binary_search(boundaries, at + request.head_size);
        judged.expected.must_invite =
            judged.expected.may_invite && stopped_at_head && !scenario.holds();
        if (!judged.expected.statuses.empty()) all.push_back(std::move(judged.expected));
        if (!judged.goes_on) break;
        at += request.bytes.size();
    }
    return all;
}

// Aborts if the responses differ.
inline void check(std::string_view answers, const std::vector<Expected>& expected)
{
    for (const Expected& each : expected) {
        int invitations = 0;
        Answer answer;
        while (answer.status < 200) {
            if (answers.empty() && each.optional) return;
            require(!answers.empty(), "an answer is missing");
            answer = take_answer(answers, each);
            if (answer.status == 100) ++invitations;
            require(answer.status != 102 || each.may_process, "102 out of place");
            require(answer.status >= 200 || answer.status == 100 || answer.status == 102,
                    "an unknown interim response");
        }
        require(invitations <= (each.may_invite ? 1 : 0), "an invitation out of place");
        require(invitations == 1 || !each.must_invite, "an invitation is missing");
        require(std::ranges::count(each.statuses, answer.status) == 1, "another status");
        require(!each.body || *each.body == answer.body, "another body");
        const bool closes = answer.fields.find("Connection: close\n") != std::string::npos;
        require(!each.closes || *each.closes == closes, "says otherwise whether it closes");
    }
    require(answers.empty(), "an answer too many");
}

}  // namespace parley::http::fuzz
