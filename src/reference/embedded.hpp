// Files that are part of the program: the guides (docs/guides) and the script of the reference
// page.
#pragma once

#include <span>
#include <string_view>

namespace parley::reference {

struct Guide {
    std::string_view name;  // As in its address: "first-call".
    std::string_view markdown;
};

// In the order in which to read them.
std::span<const Guide> guides();

// Compressed (gzip); empty if the program was built without it.
std::string_view reference_script();

}  // namespace parley::reference
