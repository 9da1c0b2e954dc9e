// Conversations from text, for tests.
#pragma once

#include "base/json.hpp"
#include "moving/moving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace parley::moving {

inline const TimePoint now(std::chrono::seconds(1'700'000'000));

inline Result<Conversation> read(Format format, const std::string& text)
{
    return read_conversation(format, json::parse(text).value().as_object(), now, "#/conversation");
}

// Each message as "parent:role:texts".
inline std::vector<std::string> messages_of(const Conversation& conversation)
{
    std::vector<std::string> shown;
    for (const ReadMessage& each : conversation.messages) {
        std::string text = each.parent ? std::to_string(*each.parent) : "-";
        text += each.speaker == Speaker::user ? ":u:" : ":a:";
        for (const std::string& part : each.parts) text += "[" + part + "]";
        shown.push_back(std::move(text));
    }
    return shown;
}

inline std::vector<std::string> skipped_of(const Conversation& conversation)
{
    std::vector<std::string> ids;
    for (const Skipped& each : conversation.skipped) {
        EXPECT_FALSE(each.reason.empty());
        ids.push_back(each.source_id);
    }
    std::ranges::sort(ids);
    return ids;
}

}  // namespace parley::moving
