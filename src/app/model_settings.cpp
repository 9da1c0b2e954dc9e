#include "app/model_settings.hpp"

#include "app/setting_kinds.hpp"
#include "base/mutex.hpp"

namespace parley::app {

using namespace setting_kinds;
using models::is_model_name;
using models::ModelOptions;

namespace {

constexpr std::int64_t max_context = 1'000'000;
constexpr std::int64_t max_threads = 512;  // As many as ggml takes.
constexpr std::int64_t max_slots = 256;    // As many as llama.cpp takes.
constexpr std::int64_t max_gpu_layers = 10'000;
constexpr std::int64_t max_cache_mib = std::int64_t{1024} * 1024;

constexpr std::int64_t max_timeout_s = 3600;

// A member of one model's options.
template <class... Members>
class InModel {
public:
    explicit InModel(std::string name, Members... members)
        : name_(std::move(name)), member_(at(members...))
    {
    }
    const auto& operator()(const Settings& from) const { return member_(from.models.of(name_)); }
    auto& operator()(Settings& into) const { return member_(into.models.named[name_]); }

private:
    std::string name_;
    decltype(at(std::declval<Members>()...)) member_;
};

std::vector<Setting> group(const std::string& name)
{
    using engine::gguf::Wish;
    using engine::llama::LlamaOptions;
    using engine::upstream::UpstreamTimes;
    const auto key = [&](std::string_view field) {
        return std::string(models_table) + name + "." + std::string(field);
    };
    const auto in = [&](auto... members) { return InModel(name, members...); };
    return {
        one_of(
            key("engine"), in(&ModelOptions::engine), {"auto", "scripted", "llama", "upstream"},
            "Engine: scripted (a test model that repeats the message), llama (a GGUF file, inside "
            "this program), upstream (a server with OpenAI's chat completions); auto: llama "
            "if there is a file for it, else scripted."),
        yes_or_no(key("listed"), in(&ModelOptions::listed),
                  "Whether the list of models shows it. A hidden model still answers."),
        yes_or_no(key("tools"), in(&ModelOptions::llama, &LlamaOptions::tools),
                  "llama: the model was trained to call functions in <tool_call> tags (Qwen, "
                  "Hermes), so it may call offered tools by its own choice. Otherwise it calls one "
                  "only if the request demands it."),
        text(key("path"), in(&ModelOptions::llama, &LlamaOptions::path),
             "llama: the GGUF file. Empty: NAME.gguf in models/ of the data directory, or "
             "beside the program."),
        text(key("base_url"), in(&ModelOptions::base_url),
             "upstream: the server's address, up to /v1 (/chat/completions is appended). "
             "Several, separated by commas, are tried in this order."),
        text(key("upstream_model"), in(&ModelOptions::upstream_model),
             "upstream: the model's name there, or one for each base_url, separated by "
             "commas. Empty: the same name as here."),
        text(key("api_key_file"), in(&ModelOptions::api_key_file),
             "upstream: file with the API key; other users must not be able to read it. "
             "One for each base_url, separated by commas; empty: no key is sent."),
        text(key("api_key_variable"), in(&ModelOptions::api_key_variable),
             "upstream: name of the environment variable that holds the API key, instead "
             "of a file."),
        yes_or_no(key("allow_plain_http"), in(&ModelOptions::allow_plain_http),
                  "upstream: allows HTTP without TLS to other machines. Conversations and the key "
                  "can then be read on the network."),
        yes_or_no(key("vision"), in(&ModelOptions::vision),
                  "upstream: the model reads images. False: messages with images are refused, "
                  "except in completions that are not stored, which are passed on unchanged."),
        number(key("connect_timeout_s"), in(&ModelOptions::times, &UpstreamTimes::connect), 1,
               max_timeout_s, "upstream: connect timeout in seconds."),
        number(key("first_token_timeout_s"), in(&ModelOptions::times, &UpstreamTimes::first_token),
               1, max_timeout_s,
               "upstream: timeout in seconds from the question to the first piece of the "
               "answer, retries included."),
        number(key("silence_timeout_s"), in(&ModelOptions::times, &UpstreamTimes::silence), 1,
               max_timeout_s,
               "upstream: timeout in seconds without a byte in the middle of an answer."),
        number(
            key("context"), in(&ModelOptions::context), 0, max_context,
            "Context window in tokens; 0: the model's own (upstream: 32768, if it is not known)."),
        number(key("threads"), in(&ModelOptions::llama, &LlamaOptions::threads), 0, max_threads,
               "llama: threads that compute; 0: one per core."),
        number(
            key("gpu_layers"), in(&ModelOptions::llama, &LlamaOptions::memory, &Wish::gpu_layers),
            -1, max_gpu_layers,
            "llama: layers of the model to offload to GPUs, counted from the last one; 0: none. "
            "-1: as many as fit into the GPUs' free memory, and none without a GPU. A number above "
            "the model's layers: all of them. A positive number is an error without a GPU."),
        number(key("slots"), in(&ModelOptions::llama, &LlamaOptions::memory, &Wish::slots), 0,
               max_slots,
               "llama: answers generated at the same time; further ones wait. Each takes "
               "memory as it grows, up to a whole context. 0: 16, or as many as fit into "
               "a quarter of the free memory; on a GPU, which takes the memory at once, 64, or as "
               "many as fit into half of its free memory."),
        number(key("cache_mib"), in(&ModelOptions::llama, &LlamaOptions::memory, &Wish::cache), 0,
               max_cache_mib,
               "llama: size of the prompt cache in MiB; 0: an eighth of the free memory, "
               "at most 512.",
               mib),
    };
}

}  // namespace

std::string_view model_in(std::string_view key)
{
    if (!key.starts_with(models_table)) return {};
    key.remove_prefix(models_table.size());
    const std::string_view name = key.substr(0, key.rfind('.'));
    return name.size() < key.size() && is_model_name(name) ? name : std::string_view();
}

const std::vector<Setting>& settings_of_model(std::string_view name)
{
    static const std::vector<Setting> none;
    static Mutex mutex;
    static std::map<std::string, std::vector<Setting>, std::less<>> groups GUARDED_BY(mutex);
    if (!is_model_name(name)) return none;
    const MutexLock lock(mutex);
    const auto found = groups.find(name);
    if (found != groups.end()) return found->second;
    return groups.emplace(name, group(std::string(name))).first->second;
}

}  // namespace parley::app
