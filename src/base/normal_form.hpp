// One text can be written in several ways: "é" is one character, or an "e" with an accent after it.
// Which one arrives depends on the keyboard, so texts are brought into one form (Unicode's NFC)
// before they are kept, compared or hashed.
//
// Threads: from any thread. The time may grow with the square of the length: bound it before.
#pragma once

#include "base/secret.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley {

// Nothing if the text is not UTF-8. U+0000 is a character like others.
std::optional<std::string> composed(std::string_view text);

// Equal for two texts that differ only in case or in their Unicode form: Unicode's canonical
// caseless matching, by full case folding ("Straße", "STRASSE").
std::optional<std::string> case_folded(std::string_view text);

// A password that is not UTF-8 stays as it is. Leaves no copy behind.
Secret composed(const Secret& password);

}  // namespace parley
