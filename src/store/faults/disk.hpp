// A disk that fails on demand, for tests of the whole program: a file system for SQLite
// (sqlite3_vfs) that stands before the real one. It is part of test builds alone (PARLEY_FAULTS).
//
// It remembers every write since the last sync of each file. A power cut puts a random part of them
// back: whole writes, or single sectors of a write; a file that was never synced may vanish. Then
// the process ends without another instruction. What is left in the files is what a disk could
// hold.
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

// What is to happen at the n-th write, sync or truncation from now on; 1 is the next one.
struct Plan {
    Fault fault = Fault::none;
    std::uint64_t at_operation = 1;
    std::uint64_t seed = 0;  // Of the choice what a power cut takes.
};
void set(const Plan& plan);

// For tests: do not end the process by a power cut, but let every operation after it fail.
void survive_power_cuts();

}  // namespace parley::store::faults
