#include "engine/upstream/call_text.hpp"

#include "engine/tools.hpp"

#include <utility>

namespace parley::engine::upstream {

std::string CallText::text(std::string_view text)
{
    if (text.empty()) return {};
    is_empty_ = false;
    std::string written = end();
    if (!written.empty()) written += '\n';
    return written.append(may_call_ ? escape_.add(text) : std::string(text));
}

// Some servers give all calls of an answer the same index: then their ids differ.
bool CallText::continues(const CallDelta& delta) const
{
    return index_ == delta.index && (delta.name.empty() || delta.id.empty() || delta.id == id_);
}

std::optional<std::string> CallText::call(const CallDelta& delta)
{
    if (continues(delta)) return delta.arguments;
    const bool is_next = delta.index > last_ || index_ == delta.index;
    if (!is_next || delta.name.empty() || delta.name.size() > max_written_name ||
        delta.id.size() > max_written_id || ++calls_ > max_calls)
        return {};
    std::string written = end();
    if (!std::exchange(is_empty_, false)) written.append(escape_.end_line()).append("\n");
    written += beginning_of({.id = delta.id, .name = delta.name});
    index_ = last_ = delta.index;
    id_ = delta.id;
    return written.append(delta.arguments);
}

std::string CallText::end()
{
    if (!std::exchange(index_, std::nullopt)) return {};
    return '}' + std::string(call_ends);
}

}  // namespace parley::engine::upstream
