// Takes a move of a test clock apart, so that the writes of others do not wait for thousands of
// rows. After each step the clock stands at a time up to which everything is in the ledger.
//
// Threads: pure.
#pragma once

#include "store/ledger.hpp"

#include <cstddef>
#include <vector>

namespace parley::automation {

// Steps of about `most_rows` rows each: rows of one instant stay together. The last one has every
// automation that has not ended before.
std::vector<store::TestClockChange> in_steps(const store::TestClockChange& whole,
                                             std::size_t most_rows);

}  // namespace parley::automation
