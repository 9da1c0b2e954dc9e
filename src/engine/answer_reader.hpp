// Finds the calls of functions in the text of an answer, as it comes (tool_text.hpp). The same text
// gives the same calls, however it was cut into deltas: so a stored answer gives what its stream
// gave. An answer has at most max_calls of them, or one, if the request wants no parallel calls of
// a model that chooses itself; anything after the last one is ignored.
//
// Threads: belongs to its caller.
#pragma once

#include "engine/tool_text.hpp"
#include "engine/tools.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine {

// A part of an answer: text, the beginning of a call, or more of the arguments of the last call.
struct AnswerPart {
    enum class Kind { text, call, arguments };

    Kind kind = Kind::text;
    std::string text = {};  // Empty for a call.
    std::string id = {};    // Only for a call, if it has one.
    std::string name = {};  // Only for a call.

    bool operator==(const AnswerPart&) const = default;
};

// Whether an answer can contain calls.
bool may_call(const ToolsRef& tools, ToolUse use);

class AnswerReader {
public:
    // Without tools everything is text.
    AnswerReader(const ToolsRef& tools, ToolUse use);

    std::vector<AnswerPart> add(std::string_view delta);
    // The rest, after the last delta.
    std::vector<AnswerPart> end();

    // How many have begun.
    std::size_t calls() const { return calls_; }

private:
    enum class State { text, escaped, header, arguments, whole_call, rest };

    std::string_view left() const { return std::string_view(rest_).substr(read_); }
    std::vector<AnswerPart> read(bool is_end);
    bool read_text(bool is_end);
    bool read_tag(bool is_end);
    bool read_escaped(bool is_end);
    bool read_header(bool is_end);
    bool read_arguments(bool is_end);
    bool read_whole_call(bool is_end);
    void add_text(std::string_view text);
    void add_call(const ToolCall& call);
    void add_arguments(std::string_view text);
    bool end_call(std::size_t size);
    std::size_t end_of_whole_call() const;
    bool take_for_text();

    const bool reads_calls_;
    const bool is_demanded_;
    const std::size_t max_calls_;      // After these, nothing more is read.
    const bool is_checked_;            // The model wrote the calls itself. Else they have the form
                                       // of beginning_of() and are passed on as they come.
    std::set<std::string> functions_;  // The names that may be called.
    State state_ = State::text;
    std::string rest_;           // The end of the answer so far,
    std::size_t read_ = 0;       // of which so many bytes have been read.
    bool is_line_start_ = true;  // Whether left() begins a line, in State::text.
    std::string tag_;            // The text before the current call that marks it.
    std::string arguments_;      // The arguments of the current call.
    std::size_t calls_ = 0;
    std::vector<AnswerPart> parts_;
};

// A whole answer.
struct ReadAnswer {
    std::string text = {};
    std::vector<ToolCall> calls = {};
};
ReadAnswer read_answer(std::string_view text, const ToolsRef& tools, ToolUse use);

// Whether there is a call at the beginning of a line.
bool has_call(std::string_view text);

// Whether there may be one in any form.
bool has_call_tag(std::string_view text);

}  // namespace parley::engine
