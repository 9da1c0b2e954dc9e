// The items of an answer: its text is a message, each call of a function an item of its own. The
// same answer has the same items and ids whenever it is read again.
//
// Threads: values.
#pragma once

#include "api/wire/response_item.hpp"
#include "engine/answer_reader.hpp"
#include "engine/models.hpp"
#include "store/runs.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::api {

// How the text of an answer is read.
struct AnswerForm {
    std::string message = {};  // Id of the message.
    std::string base = {};     // The last part of the response's id: the ids by which clients name
                               // calls are made of it, as those of chat completions are.
    engine::ToolsRef tools = nullptr;
    engine::ToolUse tool_use = engine::ToolUse::demanded;

    bool may_call() const { return engine::may_call(tools, tool_use); }
};

// Without the prefix.
std::string last_part(std::string_view id);

AnswerForm form_of(const store::RunWithMessages& whole, const engine::Models& models);

// The form of an answer that a client sent, with calls as engine::text_of_calls() writes them.
AnswerForm form_of(const store::Message& message);

// The id by which clients know a call. `given`: its id in the text, which may be empty.
std::string call_id_of(const AnswerForm& form, const std::string& given, std::size_t index);

// Begins the items of an answer, one after the other: they have no text yet.
class ItemMaker {
public:
    explicit ItemMaker(const AnswerForm& form) : form_(form) {}

    ResponseItem message();
    ResponseItem call(const engine::AnswerPart& part);

private:
    AnswerForm form_;
    std::size_t items_ = 0;
    std::size_t calls_ = 0;
};

ResponseItem empty_message(const AnswerForm& form);

// `has_ended`: no more text will come. Nothing for an answer without text.
std::vector<ResponseItem> items_of(const AnswerForm& form, std::string_view text, bool has_ended);

}  // namespace parley::api
