#include "models/catalogue.hpp"

#include "base/json.hpp"
#include "models/model_options.hpp"
#include "models/pull_files.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace parley::models {
namespace {

Error invalid_catalogue(const std::string& what)
{
    return invalid_request("The catalogue of models is not valid: " + what + ".");
}

std::string text_in(const boost::json::object& object, std::string_view name)
{
    const auto* found = object.if_contains(name);
    const auto* text = found ? found->if_string() : nullptr;
    return text ? std::string(*text) : std::string();
}

std::uint64_t number_at(const boost::json::object& object, std::string_view name)
{
    const auto* found = object.if_contains(name);
    const auto* number = found ? found->if_int64() : nullptr;
    return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

bool is_digest(std::string_view text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Whether the text can be put into a list of requirements for pip.
bool is_plain(std::string_view text)
{
    return !text.empty() && text.front() != '-' &&
           std::ranges::all_of(text, [](unsigned char each) {
               return std::isalnum(each) != 0 || each == '-' || each == '_' || each == '.' ||
                      each == '+' || each == '!';
           });
}

Result<CatalogueEntry> entry_of(const boost::json::value& value)
{
    const auto* object = value.if_object();
    if (!object) return invalid_catalogue("an entry is not an object");
    CatalogueEntry entry{.name = text_in(*object, "name"),
                         .title = text_in(*object, "title"),
                         .purpose = text_in(*object, "purpose"),
                         .license = text_in(*object, "license"),
                         .copyright = text_in(*object, "copyright"),
                         .fetched_bytes = number_at(*object, "fetched_bytes"),
                         .bytes = number_at(*object, "bytes"),
                         .memory_bytes = number_at(*object, "memory_bytes"),
                         .sha256 = text_in(*object, "sha256"),
                         .recipe = text_in(*object, "recipe"),
                         .packages = {}};
    if (!is_model_name(entry.name)) return invalid_catalogue("an entry has no valid name");
    if (!is_digest(entry.sha256) || entry.bytes == 0 || entry.fetched_bytes == 0)
        return invalid_catalogue(entry.name + " needs bytes, fetched_bytes and a sha256");
    if (entry.license.empty() || entry.copyright.empty())
        return invalid_catalogue(entry.name + " needs license and copyright");
    if (entry.recipe != "join" && entry.recipe != "bert")
        return invalid_catalogue("the recipe of " + entry.name + " is neither join nor bert");
    const auto* packages = object->if_contains("packages");
    const auto* list = packages ? packages->if_array() : nullptr;
    if (!list || list->empty()) return invalid_catalogue(entry.name + " has no packages");
    for (const auto& each : *list) {
        const auto* package = each.if_object();
        if (!package) return invalid_catalogue("a package of " + entry.name + " is not an object");
        entry.packages.push_back({.name = text_in(*package, "name"),
                                  .version = text_in(*package, "version"),
                                  .sha256 = text_in(*package, "sha256")});
        const ModelPackage& read = entry.packages.back();
        if (!is_plain(read.name) || !is_plain(read.version) || !is_digest(read.sha256))
            return invalid_catalogue("a package of " + entry.name +
                                     " needs name, version and sha256");
    }
    return entry;
}

}  // namespace

Result<Catalogue> read_catalogue(std::string_view text)
{
    const auto parsed = json::parse(text);
    const auto* list = parsed ? parsed->if_array() : nullptr;
    if (!list) return invalid_catalogue("it is not a JSON list");
    Catalogue catalogue;
    for (const auto& each : *list) {
        auto entry = entry_of(each);
        if (!entry) return entry.error();
        catalogue.push_back(std::move(*entry));
    }
    return catalogue;
}

Result<Catalogue> open_catalogue(const std::filesystem::path& file)
{
    if (file.empty()) return read_catalogue(built_in_catalogue());
    std::ifstream opened(file);
    std::stringstream text;
    text << opened.rdbuf();
    if (!opened) return invalid_request(file.string() + " cannot be read.");
    return read_catalogue(text.str());
}

}  // namespace parley::models
