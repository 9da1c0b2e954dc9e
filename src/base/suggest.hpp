// Finds the word that was probably meant, for messages such as: did you mean "message"?
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace parley {

// The known word that differs least, if it differs little: a letter missing, added, changed or
// swapped with its neighbour for each three letters. Case does not count.
std::optional<std::string_view> suggest(std::string_view word,
                                        std::span<const std::string_view> known);

}  // namespace parley
