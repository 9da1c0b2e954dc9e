#include "app/model_settings.hpp"

#include "app/settings_text.hpp"

#include <algorithm>
#include <mutex>

namespace parley::app {
namespace {

constexpr std::size_t max_name_length = 64;
constexpr std::int64_t max_context = 1'000'000;

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

std::vector<Setting> group(const std::string& name)
{
    return {
        of_model<std::string>(name, "engine", &ModelSettings::engine, "scripted",
                              "What answers: scripted (says what it is told to).",
                              [](const std::string& engine) -> Fault {
                                  if (engine == "scripted") return {};
                                  return in_quotes(engine) + " is not scripted.";
                              }),
        of_model<std::int64_t>(name, "context", &ModelSettings::context,
                               "a whole number from 0 to " + std::to_string(max_context),
                               "Tokens that a conversation may have; 0: as many as the model can.",
                               [](const std::int64_t& tokens) -> Fault {
                                   if (tokens >= 0 && tokens <= max_context) return {};
                                   return std::to_string(tokens) +
                                          " is not a whole number from 0 to " +
                                          std::to_string(max_context) + ".";
                               }),
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
    static std::mutex mutex;
    static std::map<std::string, std::vector<Setting>, std::less<>> groups;
    if (!is_model_name(name)) return none;
    const std::lock_guard lock(mutex);
    const auto found = groups.find(name);
    if (found != groups.end()) return found->second;
    return groups.emplace(name, group(std::string(name))).first->second;
}

}  // namespace parley::app
