// The lines that a person has typed into `parley chat`, for the next time: a file of their own, one
// JSON string per line, bounded, that only they can read. A line with a token in it is not kept.
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
    static constexpr std::size_t max_entry_bytes = 16 * 1024;
    static constexpr std::size_t max_file_bytes = 1024 * 1024;

    // $XDG_STATE_HOME/parley/chat-history, else ~/.local/state/parley/chat-history; empty if there
    // is no home directory.
    static std::filesystem::path usual_file(const app::Environment& environment);

    // An empty path keeps nothing. A file that cannot be read or written is as if it were empty.
    explicit ChatHistory(std::filesystem::path file);

    // Oldest first.
    const std::vector<std::string>& entries() const { return entries_; }

    // False if the line must not be kept: it repeats the last one, is too long or holds a token.
    bool add(const std::string& line);

private:
    void load();
    void rewrite() const;

    std::filesystem::path file_;
    std::vector<std::string> entries_;
};

}  // namespace parley::cli
