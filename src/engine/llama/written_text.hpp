// The text of a model, released token by token: complete characters only, and nothing that may be
// the beginning of a stop sequence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine::llama {

class WrittenText {
public:
    explicit WrittenText(std::vector<std::string> stop = {});

    // Adds the bytes of one token, and returns the text that can be released now, including text
    // held back before; possibly none. Nothing comes after a stop sequence.
    std::string add(std::string_view bytes);

    // The text held back, after the model has ended. Bytes of an unfinished character are left out.
    std::string rest();

    // Whether a stop sequence was written; it is not shown.
    bool stopped() const { return stopped_; }

private:
    std::size_t held_back() const;

    std::vector<std::string> stop_;
    std::string bytes_;  // The beginning of a character that is not whole yet.
    std::string text_;   // Held back.
    bool stopped_ = false;
};

}  // namespace parley::engine::llama
