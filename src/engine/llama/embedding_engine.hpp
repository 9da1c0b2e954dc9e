// An embedding model in this process, by llama.cpp. Its jobs are computed in batches by a thread of
// its own (embedding_worker.hpp); it cannot answer conversations.
#pragma once

#include "engine/llama/llama_engine.hpp"

namespace parley::engine::llama {

// As make_llama_engine, which calls it for files of embedding models.
Result<std::unique_ptr<Engine>> make_embedding_engine(const LlamaOptions& options);

}  // namespace parley::engine::llama
