// Conversations of other programs: reads the exports of ChatGPT and Open WebUI, and Parley's own,
// as trees of questions and answers. Everything that cannot be kept is listed with the reason.
//
// The input is hostile: parents may be missing or form cycles, and any value may have any type.
#pragma once

#include "fields/fields.hpp"
#include "moving/conversation.hpp"

#include <boost/json/object.hpp>

#include <array>

namespace parley::moving {

enum class Format { parley, chatgpt, open_webui };

constexpr auto names_of(Format)
{
    return std::array{fields::Named{Format::parley, "parley"},
                      fields::Named{Format::chatgpt, "chatgpt"},
                      fields::Named{Format::open_webui, "open_webui"}};
}

// Messages without a time get that of the conversation, or `now`. Fails with validation_failed,
// with pointers that begin with `pointer`, if the object is no conversation of this format.
Result<Conversation> read_conversation(Format format, const boost::json::object& conversation,
                                       TimePoint now, const std::string& pointer);

}  // namespace parley::moving
