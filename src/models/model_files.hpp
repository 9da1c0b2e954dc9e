// The files of models that run inside this program. Each is offered under the name of its file:
// those that `parley model add` has added to the data directory (DATA/models/NAME.gguf), and the
// embedded one (embedded_model_file).
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::models {

inline constexpr std::string_view embedded_model = "smollm2-135m";

// A note for users of the embedded model.
inline constexpr std::string_view about_embedded_model =
    "The built-in model smollm2-135m is a demonstration: it is very small and often wrong. For "
    "real answers fetch a better one (parley model pull qwen2.5-coder-1.5b, 1.1 GB), add a file "
    "(parley model add FILE.gguf), or name a server that speaks OpenAI's interface (parley serve "
    "--set models.NAME.engine=upstream --set models.NAME.base_url=URL).";

struct ModelFile {
    std::string name;
    std::filesystem::path path;
    bool embedded = false;
};

std::filesystem::path this_program();  // Its file.

// The file of the embedded model: in models/ beside the program, as a build has it, or in
// ../share/parley/models, as an installation has it.
std::optional<std::filesystem::path> embedded_model_file(const std::filesystem::path& program);

// By name. A file of the data directory hides the embedded one of the same name.
std::vector<ModelFile> model_files(const std::filesystem::path& data);

std::optional<ModelFile> find_model_file(const std::filesystem::path& data, std::string_view name);

// The licence of a model that was fetched; removed with the model.
std::filesystem::path license_file(const std::filesystem::path& data, const std::string& name);

// The folder of the saved prompt caches of the last server (engine/llama/prefix_cache_file.hpp).
std::filesystem::path cache_folder(const std::filesystem::path& data);

enum class Adding { copy, link, move };  // Move: from the same file system.

// The data directory must exist, and be private to this user. The file is added atomically, also if
// the program crashes. Fails with a message, with `conflict` if there is a model of this name.
Result<ModelFile> add_model_file(const std::filesystem::path& data,
                                 const std::filesystem::path& source, const std::string& name,
                                 Adding how);

// A running server keeps the model until its next start. Fails with a message: with not_found if
// the data directory has no such model, with `conflict` for the embedded one.
Result<ModelFile> remove_model_file(const std::filesystem::path& data, const std::string& name);

}  // namespace parley::models
