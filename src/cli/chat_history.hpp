// The history of lines typed into `parley chat`: a file of bounded size, one JSON string per line,
// that only its user can read. A line that contains a token is not stored.
//
// Threads: one at a time.
#pragma once

#include "app/environment.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace parley::cli {

class ChatHistory {
public:
    static constexpr std::size_t max_entries = 1000;
    static constexpr std::size_t max_entry_bytes = std::size_t{16} * 1024;
    static constexpr std::size_t max_file_bytes = std::size_t{1024} * 1024;

    // $XDG_STATE_HOME/parley/chat-history, else ~/.local/state/parley/chat-history; empty if there
    // is no home directory.
    static std::filesystem::path usual_file(const app::Environment& environment);

    // With an empty path nothing is stored. A file that cannot be read or written counts as empty.
    explicit ChatHistory(std::filesystem::path file);

    // Oldest first.
    const std::vector<std::string>& entries() const { return entries_; }

    // False if the line is not stored: it repeats the last one, is too long or contains a token.
    bool add(const std::string& line);

private:
    void load();
    void rewrite() const;

    std::filesystem::path file_;
    std::vector<std::string> entries_;
};

}  // namespace parley::cli
