// What a model has read, over a restart: written when the server ends in good order, removed by the
// next one before it serves anybody, and read once the model is there. So it is there only while no
// server runs: what is forgotten later is forgotten everywhere, however that server ends. A file
// that is damaged, cut off or another model's is not used; nothing is lost by that but time.
//
// Threads: belongs to the engine's thread.
#pragma once

#include "engine/llama/prefix_cache.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace parley::engine::llama {

class PrefixCacheFile {
public:
    // Takes the file out of its folder. Nothing is written or read where the path is empty. States
    // that were computed with other weights, or by another version of llama.cpp, are not taken.
    PrefixCacheFile(std::filesystem::path path, const std::filesystem::path& weights);

    void write(const PrefixCache& kept) const;
    void read(PrefixCache& kept);  // Once.

private:
    struct Closed {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, Closed>;

    std::filesystem::path path_;
    std::string title_;  // Its first line.
    File left_;          // By the last server.
};

}  // namespace parley::engine::llama
