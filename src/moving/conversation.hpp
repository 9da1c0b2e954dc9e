// A conversation that was read: messages with their parents, in an order in which parents come
// first.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "domain/chat.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::moving {

struct ReadMessage {
    std::string source_id = {};
    std::optional<std::size_t> parent = {};  // An earlier message of the list.
    Speaker speaker = Speaker::user;
    std::vector<std::string> parts = {};
    TimePoint created_at = {};
    std::optional<StopReason> stop_reason = {};
    std::optional<std::string> model = {};
    bool structured = false;  // An answer in a format.
    std::map<std::string, std::string> metadata = {};

    bool operator==(const ReadMessage&) const = default;
};

// A message of the source that is not in the conversation, or not with all that it had.
struct Skipped {
    std::string source_id = {};
    std::string reason = {};

    bool operator==(const Skipped&) const = default;
};

struct Conversation {
    std::string source_id = {};
    std::string title = {};
    std::optional<std::string> instructions = {};
    std::optional<std::string> model = {};
    bool archived = false;
    bool keep = false;
    std::map<std::string, std::string> metadata = {};
    TimePoint created_at = {};
    TimePoint updated_at = {};
    std::vector<ReadMessage> messages = {};
    std::optional<std::size_t> newest = {};
    std::size_t imported = 0;  // Messages of the source; several may have become one.
    std::vector<Skipped> skipped = {};
};

}  // namespace parley::moving
