#include "models/pull_files.hpp"

#include "base/embed.hpp"

PARLEY_EMBED(parley_catalogue, PARLEY_MODEL_FILES "/src/models/catalogue.json");
PARLEY_EMBED(parley_fetch_model, PARLEY_MODEL_FILES "/tools/fetch_model.py");
PARLEY_EMBED(parley_embedding_gguf, PARLEY_MODEL_FILES "/tools/embedding_gguf.py");
PARLEY_EMBED(parley_apache_license, PARLEY_MODEL_FILES "/src/models/Apache-2.0.txt");

namespace parley::models {

std::string_view built_in_catalogue() { return PARLEY_EMBEDDED(parley_catalogue); }
std::string_view fetch_script() { return PARLEY_EMBEDDED(parley_fetch_model); }
std::string_view embedding_script() { return PARLEY_EMBEDDED(parley_embedding_gguf); }
std::string_view apache_license() { return PARLEY_EMBEDDED(parley_apache_license); }

}  // namespace parley::models
