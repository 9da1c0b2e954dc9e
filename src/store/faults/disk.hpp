// A disk that fails on demand, for tests of the whole program: a file system for SQLite
// (sqlite3_vfs) that wraps the real one. It is only in test builds (PARLEY_FAULTS).
//
// It records every write since the last sync of each file. A power cut undoes a random part of
// them: whole writes, or single sectors of a write; a file that was never synced may vanish. Then
// the process ends at once. The files are left in a state that a real disk could have.
//
// Threads: from any thread.
#pragma once

#include <cstdint>

namespace parley::store::faults {

// The name of the file system, for store::sqlite::Options. Registers it at first use.
const char* vfs_name();

enum class Fault {
    none,
    power_cut,  // As above.
    lost_sync,  // One sync fails; those after it succeed and mean nothing, as on a real disk.
    disk_full,  // No file can grow any more, until the next plan.
};

// A fault at the n-th write, sync or truncation from now on; 1 is the next one.
struct Plan {
    Fault fault = Fault::none;
    std::uint64_t at_operation = 1;
    std::uint64_t seed = 0;  // Chooses what a power cut loses.
};
void set(const Plan& plan);

// For tests: a power cut does not end the process, but lets every later operation fail.
void survive_power_cuts();

}  // namespace parley::store::faults
