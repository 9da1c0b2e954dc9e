// Writes the calls in a streamed answer as text (tool_text.hpp), so that a run can store them: ids
// and arguments stay as the upstream sent them. Text that looks like a call is escaped.
#pragma once

#include "engine/tool_text.hpp"
#include "engine/upstream/chunk.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

class CallText {
public:
    // `may_call`: the answer will be read by AnswerReader. Otherwise text stays as it is.
    explicit CallText(bool may_call) : may_call_(may_call) {}

    // Each returns what the answer gets, which may be nothing.
    std::string text(std::string_view text);
    // Fails if the call has no name or one that is too long, or continues an earlier one; and if
    // there are too many.
    std::optional<std::string> call(const CallDelta& delta);
    std::string end();

private:
    bool continues(const CallDelta& delta) const;

    const bool may_call_;
    TextEscape escape_;
    std::optional<std::int64_t> index_;  // The index of the call being written,
    std::string id_;                     // and its id.
    std::int64_t last_ = -1;
    std::size_t calls_ = 0;
    bool is_empty_ = true;
};

}  // namespace parley::engine::upstream
