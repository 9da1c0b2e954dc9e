// The models of a server: which ones it has, where their files are, whether they fit into the
// memory, and an engine for each. A server starts with open_models(); commands about models and
// their files use local_models.hpp, model_files.hpp and upstream_options.hpp.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "engine/models.hpp"
#include "http/client/clients.hpp"
#include "models/local_models.hpp"
#include "models/model_files.hpp"
#include "models/model_options.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

namespace parley::models {

// The server around the models.
struct Host {
    std::filesystem::path data;  // The data directory.
    bool keeps_caches = true;    // Prompt caches outlive the server.
    std::chrono::seconds run_timeout;
    http::client::Clients& clients;  // Connect to upstream servers; must outlive the models.
    std::function<void(Error)> loading_failed;  // From any thread: a model cannot be loaded.
};

// The named models, those of the data directory, and the scripted one, which always exists. Fails
// with a message for the operator.
Result<std::unique_ptr<engine::Models>> open_models(const Options& options, const Host& host);

}  // namespace parley::models
