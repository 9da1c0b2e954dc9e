// The writes to a file since its last sync, so that a power cut can undo a part of them.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace parley::store::faults {

class Unsynced {
public:
    // To be called before the operation: saves the old content.
    void note_write(sqlite3_file& file, const void* data, int size, sqlite3_int64 at);
    void note_truncation(sqlite3_file& file, sqlite3_int64 size);

    void forget() { changes_.clear(); }
    bool empty() const { return changes_.empty(); }

    // Puts the file into a state that a disk could have after losing power.
    void lose_some(sqlite3_file& file, std::mt19937_64& random);

private:
    struct Change {
        sqlite3_int64 at;        // The offset of a write, or the new size of a truncated file.
        std::string before;      // The old content, up to the old end of the file.
        std::string after;       // The new content; empty for a truncation.
        sqlite3_int64 old_size;  // The size of the file before.
    };

    std::vector<Change> changes_;
};

}  // namespace parley::store::faults
