// A database file that is removed at the end.
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

namespace parley::store::transfer {

class Scratch {
public:
    explicit Scratch(std::filesystem::path file) : file_(std::move(file)) {}
    ~Scratch()
    {
        std::error_code ignored;
        for (const char* rest : {"", "-journal", "-wal", "-shm"})
            std::filesystem::remove(std::filesystem::path(file_) += rest, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

private:
    const std::filesystem::path file_;
};

}  // namespace parley::store::transfer
