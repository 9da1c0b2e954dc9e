// Files that are part of the program: the catalogue, the scripts that fetch a model, and the text
// of the licence that most models have.
#pragma once

#include <string_view>

namespace parley::models {

std::string_view built_in_catalogue();
std::string_view fetch_script();      // tools/fetch_model.py
std::string_view embedding_script();  // tools/embedding_gguf.py
std::string_view apache_license();

}  // namespace parley::models
