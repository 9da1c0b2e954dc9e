// Imports the admissions that are still in the window from the last process's file. Limits, window
// and number of places may have been changed in between: a key keeps the admissions that still
// count.
#pragma once

#include "base/error.hpp"
#include "limits/local/file.hpp"
#include "limits/local/table.hpp"
#include "limits/local/time_translation.hpp"

#include <cstddef>
#include <span>

namespace parley::limits::local {

struct CarriedOver {
    std::size_t kept = 0;
    std::size_t lost = 0;  // Keys that the new tables have no room for.
};

// Fails only if the disk does. The header of `old` must be valid.
Result<CarriedOver> import_previous_file(const OldFile& old, const TimeTranslation& passage,
                                         std::span<Table> into);

}  // namespace parley::limits::local
