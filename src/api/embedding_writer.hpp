// Writes the vectors of POST /v1/embeddings. They may be megabytes, so this is done piece by piece.
//
// Threads: plain functions.
#pragma once

#include "api/wire/embedding.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace parley::api {

// The bytes of an EmbeddingList: append_embedding() for each vector, then end_embeddings().
std::string begin_embeddings();
void append_embedding(std::string& list, std::size_t index, std::span<const float> vector,
                      EmbeddingFormat format);
void end_embeddings(std::string& list, std::string_view model, std::int64_t tokens);

}  // namespace parley::api
