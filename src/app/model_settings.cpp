#include "app/model_settings.hpp"

#include "app/settings_text.hpp"
#include "base/mutex.hpp"

#include <algorithm>

namespace parley::app {
namespace {

constexpr std::size_t max_name_length = 64;
constexpr std::int64_t max_context = 1'000'000;
constexpr std::int64_t max_threads = 512;  // As many as ggml takes.
constexpr std::int64_t max_slots = 256;    // As many as llama.cpp takes.
constexpr std::int64_t max_cache_mib = 1024 * 1024;

using Fault = std::optional<std::string>;

template <class T>
Setting of_model(const std::string& name, std::string_view field, T ModelSettings::* member,
                 std::string form, std::string_view meaning, std::function<Fault(const T&)> fault)
{
    return {
        .key = std::string(models_table) + name + "." + std::string(field),
        .form = std::move(form),
        .meaning = meaning,
        .get =
            [=](const Settings& from) {
                const auto found = from.models.find(name);
                const ModelSettings none;
                return SettingValue((found == from.models.end() ? none : found->second).*member);
            },
        .put = [=](Settings& into,
                   SettingValue value) { into.models[name].*member = std::get<T>(value); },
        .fault = [fault = std::move(fault)](
                     const SettingValue& value) { return fault(std::get<T>(value)); }};
}

Setting number_of_model(const std::string& name, std::string_view field,
                        std::int64_t ModelSettings::* member, std::int64_t least, std::int64_t most,
                        std::string_view meaning)
{
    const std::string form =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    return of_model<std::int64_t>(name, field, member, form, meaning,
                                  [=](const std::int64_t& number) -> Fault {
                                      if (number >= least && number <= most) return {};
                                      return std::to_string(number) + " is not " + form + ".";
                                  });
}

constexpr std::int64_t max_timeout_s = 3600;

Setting timeout_of_model(const std::string& name, std::string_view field,
                         std::int64_t ModelSettings::* member, std::string_view meaning)
{
    return number_of_model(name, field, member, 1, max_timeout_s, meaning);
}

Setting text_of_model(const std::string& name, std::string_view field,
                      std::string ModelSettings::* member, std::string_view meaning)
{
    return of_model<std::string>(name, field, member, "text", meaning,
                                 [](const std::string&) { return Fault(); });
}

std::vector<Setting> group(const std::string& name)
{
    return {
        of_model<std::string>(
            name, "engine", &ModelSettings::engine, "auto, scripted, llama or upstream",
            "Engine: scripted (a test model that repeats the message), llama (a GGUF file, inside "
            "this program), upstream (a server with OpenAI's chat completions); auto: llama "
            "if there is a file for it, else scripted.",
            [](const std::string& engine) -> Fault {
                for (const char* known : {"auto", "scripted", "llama", "upstream"})
                    if (engine == known) return {};
                return in_quotes(engine) + " is not auto, scripted, llama or upstream.";
            }),
        of_model<bool>(name, "listed", &ModelSettings::listed, "true or false",
                       "Whether the list of models shows it. A hidden model still answers.",
                       [](const bool&) { return Fault(); }),
        text_of_model(name, "path", &ModelSettings::path,
                      "llama: the GGUF file. Empty: NAME.gguf in models/ of the data directory, or "
                      "beside the program."),
        text_of_model(name, "base_url", &ModelSettings::base_url,
                      "upstream: the server's address, up to /v1 (/chat/completions is appended). "
                      "Several, separated by commas, are tried in this order."),
        text_of_model(name, "upstream_model", &ModelSettings::upstream_model,
                      "upstream: the model's name there, or one for each base_url, separated by "
                      "commas. Empty: the same name as here."),
        text_of_model(name, "api_key_file", &ModelSettings::api_key_file,
                      "upstream: file with the API key; other users must not be able to read it. "
                      "One for each base_url, separated by commas; empty: no key is sent."),
        text_of_model(name, "api_key_variable", &ModelSettings::api_key_variable,
                      "upstream: name of the environment variable that holds the API key, instead "
                      "of a file."),
        of_model<bool>(name, "allow_plain_http", &ModelSettings::allow_plain_http, "true or false",
                       "upstream: allows HTTP without TLS to other machines. Anyone on the way can "
                       "read conversations and the key.",
                       [](const bool&) { return Fault(); }),
        timeout_of_model(name, "connect_timeout_s", &ModelSettings::connect_timeout_s,
                         "upstream: connect timeout in seconds."),
        timeout_of_model(name, "first_token_timeout_s", &ModelSettings::first_token_timeout_s,
                         "upstream: timeout in seconds from the question to the first piece of the "
                         "answer, retries included."),
        timeout_of_model(name, "silence_timeout_s", &ModelSettings::silence_timeout_s,
                         "upstream: timeout in seconds without a byte in the middle of an answer."),
        number_of_model(
            name, "context", &ModelSettings::context, 0, max_context,
            "Context window in tokens; 0: the model's own (upstream: 32768, if it is not known)."),
        number_of_model(name, "threads", &ModelSettings::threads, 0, max_threads,
                        "llama: threads that compute; 0: one per core."),
        number_of_model(name, "slots", &ModelSettings::slots, 0, max_slots,
                        "llama: answers generated at the same time; further ones wait. Each takes "
                        "memory as it grows, up to a whole context. 0: 16, or as many as fit into "
                        "a quarter of the free memory."),
        number_of_model(name, "cache_mib", &ModelSettings::cache_mib, 0, max_cache_mib,
                        "llama: size of the prompt cache in MiB; 0: an eighth of the free memory, "
                        "at most 512."),
    };
}

}  // namespace

bool is_model_name(std::string_view name)
{
    const auto is_plain = [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
               (each >= '0' && each <= '9');
    };
    return !name.empty() && name.size() <= max_name_length && is_plain(name.front()) &&
           is_plain(name.back()) && std::ranges::all_of(name, [&](char each) {
               return is_plain(each) || each == '.' || each == '_' || each == '-';
           });
}

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
