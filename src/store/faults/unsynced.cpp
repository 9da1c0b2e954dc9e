#include "store/faults/unsynced.hpp"

#include <algorithm>

namespace parley::store::faults {
namespace {

constexpr std::size_t sector = 512;

sqlite3_int64 size_of(sqlite3_file& file)
{
    sqlite3_int64 size = 0;
    file.pMethods->xFileSize(&file, &size);
    return size;
}

std::string read(sqlite3_file& file, sqlite3_int64 at, sqlite3_int64 end)
{
    std::string bytes(static_cast<std::size_t>(std::max<sqlite3_int64>(0, end - at)), '\0');
    if (!bytes.empty())
        file.pMethods->xRead(&file, bytes.data(), static_cast<int>(bytes.size()), at);
    return bytes;
}

void write(sqlite3_file& file, std::string_view bytes, sqlite3_int64 at)
{
    if (!bytes.empty())
        file.pMethods->xWrite(&file, bytes.data(), static_cast<int>(bytes.size()), at);
}

}  // namespace

void Unsynced::note_write(sqlite3_file& file, const void* data, int size, sqlite3_int64 at)
{
    const sqlite3_int64 old_size = size_of(file);
    changes_.push_back({at, read(file, at, std::min(old_size, at + size)),
                        std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)),
                        old_size});
}

void Unsynced::note_truncation(sqlite3_file& file, sqlite3_int64 size)
{
    const sqlite3_int64 old_size = size_of(file);
    changes_.push_back({size, read(file, size, old_size), {}, old_size});
}

void Unsynced::lose_some(sqlite3_file& file, std::mt19937_64& random)
{
    const auto chance = [&random] { return random() % 2 == 0; };
    sqlite3_int64 largest = 0;
    for (const Change& change : changes_)
        largest = std::max(largest, change.at + static_cast<sqlite3_int64>(change.after.size()));

    // Back to what was surely on the disk …
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        write(file, change->before, change->at);
        if (size_of(file) > change->old_size) file.pMethods->xTruncate(&file, change->old_size);
    }
    // … and then some of what came since, in any combination.
    for (const Change& change : changes_) {
        if (change.after.empty()) {
            if (chance()) file.pMethods->xTruncate(&file, change.at);
        } else if (chance()) {
            write(file, change.after, change.at);
        } else if (chance()) {
            for (std::size_t from = 0; from < change.after.size(); from += sector)
                if (chance())
                    write(file, std::string_view(change.after).substr(from, sector),
                          change.at + static_cast<sqlite3_int64>(from));
        }
    }
    // A file system may have kept the new length of a file and not its content.
    if (size_of(file) < largest && chance()) write(file, std::string_view("\0", 1), largest - 1);
    forget();
}

}  // namespace parley::store::faults
