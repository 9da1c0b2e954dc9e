#include "engine/upstream/call_text.hpp"

#include "engine/tool_text.hpp"

#include <utility>

namespace parley::engine::upstream {

std::string CallText::text(std::string_view text)
{
    if (text.empty()) return {};
    is_empty_ = false;
    std::string written = end();
    if (!written.empty()) written += '\n';
    return written.append(text);
}

std::optional<std::string> CallText::call(const CallDelta& delta)
{
    if (index_ == delta.index) return delta.arguments;
    if (delta.index <= last_ || delta.name.empty()) return {};
    std::string written = end();
    if (!std::exchange(is_empty_, false)) written += '\n';
    written += beginning_of({.id = delta.id, .name = delta.name});
    index_ = last_ = delta.index;
    return written.append(delta.arguments);
}

std::string CallText::end()
{
    if (!std::exchange(index_, std::nullopt)) return {};
    return '}' + std::string(call_ends);
}

}  // namespace parley::engine::upstream
