// What a model has read, over a restart: written when the server ends in good order, and read and
// removed by the next one. So it is there only while no server runs: what is forgotten later is
// forgotten everywhere. A file that is damaged, cut off or another model's is not used; nothing is
// lost by that but time.
//
// Threads: belongs to the engine's thread.
#pragma once

#include "engine/llama/kept_prefixes.hpp"

#include <filesystem>

namespace parley::engine {

class KeptFile {
public:
    // Nothing is written or read where the path is empty. States that were computed with other
    // weights, or by another version of llama.cpp, are not taken.
    KeptFile(std::filesystem::path path, const std::filesystem::path& weights);

    void write(const KeptPrefixes& kept) const;
    void read(KeptPrefixes& kept) const;

private:
    std::filesystem::path path_;
    std::string title_;  // Its first line.
};

}  // namespace parley::engine
