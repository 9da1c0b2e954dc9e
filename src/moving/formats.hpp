// The formats, one function for each: see read_conversation().
#pragma once

#include "moving/conversation.hpp"

#include <boost/json/object.hpp>

namespace parley::moving {

Result<Conversation> read_chatgpt(const boost::json::object& conversation, TimePoint now,
                                  const std::string& pointer);
Result<Conversation> read_open_webui(const boost::json::object& conversation, TimePoint now,
                                     const std::string& pointer);
Result<Conversation> read_parley(const boost::json::object& conversation, TimePoint now,
                                 const std::string& pointer);

// A fault at a member of the conversation.
inline Error unreadable(std::string pointer, std::string why)
{
    return validation_failed({{std::move(pointer), "invalid_value", std::move(why)}});
}

}  // namespace parley::moving
