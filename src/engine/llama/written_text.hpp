// The text that a model writes token by token, as it may be shown: whole characters only, and
// nothing that may turn out to be the beginning of a stop sequence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine::llama {

class WrittenText {
public:
    explicit WrittenText(std::vector<std::string> stop = {});

    // Takes the bytes of one more token, and gives what can be shown now: often them, sometimes
    // nothing, or what was held back before as well. Nothing comes after a stop sequence.
    std::string add(std::string_view bytes);

    // The model has ended: what was held back. Bytes of an unfinished character are left out.
    std::string rest();

    // Whether a stop sequence was written; it is not shown.
    bool stopped() const { return stopped_; }

private:
    std::size_t held_back() const;

    std::vector<std::string> stop_;
    std::string bytes_;  // Of a character that is not whole yet.
    std::string text_;   // Held back.
    bool stopped_ = false;
};

}  // namespace parley::engine::llama
