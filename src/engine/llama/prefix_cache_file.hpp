// Saves the prompt cache of a model over a restart: written at an orderly stop, removed by the next
// server before it serves requests, and read once the model is loaded. So it exists only while no
// server runs: data that is deleted later is not in it, even if that server crashes. A file that is
// damaged, truncated or of another model is ignored, which only costs time.
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
    // Opens and deletes the file. If the path is empty, nothing is read or written. States of other
    // weights, or of another version of llama.cpp, are not used.
    PrefixCacheFile(std::filesystem::path path, const std::filesystem::path& weights);

    void write(const PrefixCache& cache) const;
    void read(PrefixCache& cache);  // Once.

private:
    struct Closed {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, Closed>;

    std::filesystem::path path_;
    std::string title_;  // Its first line.
    File left_;          // The file of the last server.
};

}  // namespace parley::engine::llama
