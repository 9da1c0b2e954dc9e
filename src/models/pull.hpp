// Fetches a model of the catalogue, checks it, and adds it to the data directory.
//
// Threads: plain functions; they block.
#pragma once

#include "base/error.hpp"
#include "models/catalogue.hpp"
#include "models/model_files.hpp"

#include <filesystem>

namespace parley::models {

// Writes progress to standard error. What was fetched stays in the data directory until all is
// there, so that a second call continues. Fails with a message: with conflict if there is a model
// of this name. The data directory must exist.
Result<ModelFile> pull_model(const CatalogueEntry& entry, const std::filesystem::path& data);

}  // namespace parley::models
