// Writes the calls in a streamed answer as text (tool_text.hpp), so that a run can store them: ids
// and arguments stay as the upstream sent them.
#pragma once

#include "engine/upstream/chunk.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

class CallText {
public:
    // Each returns what the answer gets, which may be nothing.
    std::string text(std::string_view text);
    // Fails if the call has no name, or continues an earlier one.
    std::optional<std::string> call(const CallDelta& delta);
    std::string end();

private:
    std::optional<std::int64_t> index_;  // Of the call being written.
    std::int64_t last_ = -1;
    bool is_empty_ = true;
};

}  // namespace parley::engine::upstream
