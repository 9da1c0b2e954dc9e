#include "engine/llama/written_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine::llama {
namespace {

constexpr std::size_t longest_character = 4;

// The number of bytes at the end of the text that may be an incomplete character.
std::size_t unfinished(std::string_view text)
{
    for (std::size_t back = 1; back < longest_character && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (byte < 0x80) return 0;
        if (byte < 0xC0) continue;
        if (byte < 0xC2 || byte > 0xF4) return 0;  // No character begins with this byte.
        const std::size_t whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
        return back < whole ? back : 0;
    }
    return 0;
}

}  // namespace

WrittenText::WrittenText(std::vector<std::string> stop) : stop_(std::move(stop))
{
    std::erase(stop_, "");
}

std::string WrittenText::add(std::string_view bytes)
{
    if (stopped_) return {};
    bytes_ += bytes;
    const std::size_t whole = bytes_.size() - unfinished(bytes_);
    text_ += utf8::repaired(std::string_view(bytes_).substr(0, whole));
    bytes_.erase(0, whole);

    std::size_t first = std::string::npos;
    for (const std::string& each : stop_) first = std::min(first, text_.find(each));
    if (first != std::string::npos) {
        stopped_ = true;
        text_.resize(first);
        return std::exchange(text_, {});
    }
    const std::size_t kept = held_back();
    std::string shown = text_.substr(0, text_.size() - kept);
    text_.erase(0, shown.size());
    return shown;
}

std::string WrittenText::rest()
{
    bytes_.clear();
    return std::exchange(text_, {});
}

std::size_t WrittenText::held_back() const
{
    std::size_t longest = 0;
    for (const std::string& each : stop_) {
        std::size_t length = std::min(each.size() - 1, text_.size());
        while (length > longest &&
               !std::string_view(text_).ends_with(std::string_view(each).substr(0, length)))
            --length;
        longest = std::max(longest, length);
    }
    return longest;
}

}  // namespace parley::engine::llama
