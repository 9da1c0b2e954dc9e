#include "moving/bounds.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace parley::moving {
namespace {

using Texts = std::map<std::string, std::string>;

bool fits(const Texts& metadata)
{
    return metadata.size() <= max_metadata_entries &&
           std::ranges::all_of(metadata, [](const auto& entry) {
               const std::size_t key = utf8::count(entry.first);
               return key >= 1 && key <= max_metadata_key &&
                      utf8::count(entry.second) <= max_metadata_value;
           });
}

std::size_t bytes_of(const ReadMessage& message)
{
    std::size_t bytes = 0;
    for (const std::string& part : message.parts) bytes += part.size();
    return bytes;
}

}  // namespace

void keep_to_bounds(Conversation& conversation)
{
    const auto skip = [&](const std::string& source, const char* reason) {
        conversation.skipped.push_back({source, reason});
    };
    constexpr const char* about_metadata = "its metadata has too many or too long texts";
    if (conversation.instructions && conversation.instructions->size() > max_instruction_bytes) {
        conversation.instructions.reset();
        skip(conversation.source_id, "its instructions have more than 65,536 bytes");
    }
    if (!fits(conversation.metadata)) {
        conversation.metadata.clear();
        skip(conversation.source_id, about_metadata);
    }
    for (ReadMessage& message : conversation.messages) {
        if (message.structured && bytes_of(message) > max_output_bytes) {
            message.structured = false;
            skip(message.source_id, "its output has more than 4 MiB");
        }
        if (fits(message.metadata)) continue;
        message.metadata.clear();
        skip(message.source_id, about_metadata);
    }
}

}  // namespace parley::moving
