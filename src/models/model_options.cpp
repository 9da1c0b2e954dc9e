#include "models/model_options.hpp"

#include <algorithm>

namespace parley::models {
namespace {

constexpr std::size_t max_name_length = 64;

}  // namespace

const ModelOptions& Options::of(const std::string& name) const
{
    static const ModelOptions defaults;
    const auto found = named.find(name);
    return found == named.end() ? defaults : found->second;
}

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

}  // namespace parley::models
