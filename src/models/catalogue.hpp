// The models that `parley model pull` can fetch. The catalogue is a JSON file (catalogue.json),
// part of the program; an operator may have one of his own.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace parley::models {

// A Python package, by which parts of a model are distributed.
struct ModelPackage {
    std::string name;
    std::string version;
    std::string sha256;  // In hexadecimal digits.
};

struct CatalogueEntry {
    std::string name;
    std::string title;
    std::string purpose;
    std::string license;    // Its SPDX identifier.
    std::string copyright;  // The authors of the weights.
    std::uint64_t fetched_bytes = 0;
    std::uint64_t bytes = 0;         // The size of the GGUF file.
    std::uint64_t memory_bytes = 0;  // With one full conversation; 0: not known.
    std::string sha256;              // The hash of the GGUF file.
    std::string recipe;              // How it is made of the packages: see tools/fetch_model.py.
    std::vector<ModelPackage> packages;
};
using Catalogue = std::vector<CatalogueEntry>;

// Fails with a message that says what is wrong.
Result<Catalogue> read_catalogue(std::string_view text);

// The one of the program, or of this file.
Result<Catalogue> open_catalogue(const std::filesystem::path& file);

}  // namespace parley::models
