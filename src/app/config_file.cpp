#include "app/config_file.hpp"

#include "app/model_settings.hpp"
#include "app/settings_text.hpp"
#include "base/suggest.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

namespace parley::app {
namespace {

// Each dot can nest a table in another, and toml++ takes tables apart by recursion: some 40,000
// levels end the process. Our keys have two or three.
constexpr std::ptrdiff_t max_dots = 10'000;

class OpenFile {
public:
    explicit OpenFile(const std::string& name)
        // Not waiting: a FIFO without a writer would hold us up for ever.
        : descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile()
    {
        if (descriptor >= 0) close(descriptor);
    }

    const int descriptor;
};

Result<std::string> content_of(const std::string& name)
{
    const auto cannot = [&](const std::string& why) {
        return invalid_request("The settings file " + name + " cannot be read: " + why + ".");
    };
    const OpenFile file(name);
    if (file.descriptor < 0) return cannot(std::strerror(errno));
    struct stat about{};
    if (fstat(file.descriptor, &about) != 0) return cannot(std::strerror(errno));
    if (!S_ISREG(about.st_mode)) return cannot("it is not a plain file");
    if ((about.st_mode & S_IWOTH) != 0)
        return invalid_request("Every user of this machine can change the settings file " + name +
                               ": run `chmod o-w " + name + "`.");
    std::string text(max_config_bytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t got = read(file.descriptor, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannot(std::strerror(errno));
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    if (size > max_config_bytes) return cannot("it is larger than 1 MiB");
    text.resize(size);
    return text;
}

std::string kind_of(const toml::node& node)
{
    if (node.is_string()) return "text";
    if (node.is_integer()) return "a whole number";
    if (node.is_floating_point()) return "a number with a point";
    if (node.is_boolean()) return "true or false";
    if (node.is_array()) return "a list";
    if (node.is_table()) return "a table";
    return "a date or a time";
}

class Reader {
public:
    Reader(Settings& settings, std::string name) : settings_(settings), name_(std::move(name)) {}

    Result<> read(const toml::table& table, const std::string& above);

    Places places;

private:
    Result<> read_value(const Setting& setting, const toml::node& node);
    Error fault(const toml::source_position& at, const std::string& what) const
    {
        return invalid_request(name_ + ":" + std::to_string(at.line) + ":" +
                               std::to_string(at.column) + ": " + what);
    }

    Settings& settings_;
    std::string name_;
};

// The names of all tables, each once: "server".
std::vector<std::string_view> tables()
{
    std::vector<std::string_view> names{"models"};
    for (const auto& setting : all_settings()) {
        const auto name = std::string_view(setting.key).substr(0, setting.key.rfind('.'));
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
}

Result<> Reader::read(const toml::table& table, const std::string& above)
{
    const auto known = tables();
    for (auto&& [name, node] : table) {
        const std::string key =
            above.empty() ? std::string(name.str()) : above + "." + std::string(name.str());
        // To TOML "a.b" and a.b are two keys; they must not be two ways to set one thing twice.
        // Only the name of a model may have dots of its own.
        const bool is_model = above == "models" && models::is_model_name(name.str());
        if (name.str().find('.') != std::string_view::npos && !is_model)
            return fault(name.source().begin, "The name " + in_quotes(name.str()) +
                                                  " has a dot in it: remove the quotes.");
        // Dots in a model's name may also come from tables in tables: [models.llama-3.2].
        const bool is_models =
            node.is_table() && key.starts_with(models_table) &&
            models::is_model_name(std::string_view(key).substr(models_table.size()));
        if (is_models) {
            if (auto done = read(*node.as_table(), key); !done) return done;
        } else if (const Setting* setting = find_setting(key)) {
            if (auto done = read_value(*setting, node); !done) return done;
        } else if (is_model || (above.empty() && is_table_of_settings(key))) {
            if (!node.is_table())
                return fault(name.source().begin, std::string(key)
                                                      .append(" is a table of settings: write [")
                                                      .append(key)
                                                      .append("] above them."));
            if (auto done = read(*node.as_table(), key); !done) return done;
        } else if (node.is_table() && above.empty()) {
            const auto near = suggest(key, known);
            return fault(name.source().begin,
                         "There is no table " + in_quotes(key) + " of settings." +
                             (near ? " Did you mean [" + std::string(*near) + "]?" : "") +
                             " `parley serve --help-settings` lists them all.");
        } else {
            return fault(name.source().begin, unknown_setting(key));
        }
    }
    return {};
}

Result<> Reader::read_value(const Setting& setting, const toml::node& node)
{
    const auto wrong_type = [&](const toml::node& where) {
        return fault(where.source().begin, setting.key + " takes " + setting.form +
                                               ", but this is " + kind_of(where) + ".");
    };
    const SettingValue now = setting.get(settings_);
    SettingValue value;
    if (std::holds_alternative<std::string>(now) && node.is_string())
        value = **node.as_string();
    else if (std::holds_alternative<std::int64_t>(now) && node.is_integer())
        value = **node.as_integer();
    else if (std::holds_alternative<bool>(now) && node.is_boolean())
        value = **node.as_boolean();
    else if (std::holds_alternative<std::vector<std::string>>(now) && node.is_array()) {
        std::vector<std::string> list;
        for (const toml::node& each : *node.as_array()) {
            if (!each.is_string()) return wrong_type(each);
            list.push_back(**each.as_string());
        }
        value = std::move(list);
    } else {
        return wrong_type(node);
    }
    if (auto done = put(settings_, setting, std::move(value)); !done)
        return fault(node.source().begin, setting.key + ": " + done.error().message);
    places[setting.key] = name_ + ":" + std::to_string(node.source().begin.line);
    return {};
}

// "Error while parsing boolean: expected 'true', saw 'tru" is what the library says.
std::string tidied(std::string_view description)
{
    if (description.starts_with("Error while parsing "))
        if (const auto colon = description.find(": "); colon != description.npos)
            description.remove_prefix(colon + 2);
    std::string text(description);
    std::ranges::replace_if(text, [](char each) { return each >= 0 && each < 0x20; }, ' ');
    return text;
}

}  // namespace

Result<Places> read_config(Settings& settings, std::string_view toml, const std::string& name)
{
    if (std::ranges::count(toml, '.') > max_dots)
        return invalid_request(name + " has more dots than a settings file can have.");
    Settings changed = settings;
    Reader reader(changed, name);
    try {
        const toml::table document = toml::parse(toml);
        if (auto done = reader.read(document, ""); !done) return done.error();
    } catch (const toml::parse_error& error) {
        const auto& at = error.source().begin;
        return invalid_request(name + ":" + std::to_string(at.line) + ":" +
                               std::to_string(at.column) +
                               ": This is not TOML: " + tidied(error.description()) + ".");
    }
    settings = std::move(changed);
    return std::move(reader.places);
}

Result<Places> read_config_file(Settings& settings, const std::string& file)
{
    auto text = content_of(file);
    if (!text) return text.error();
    return read_config(settings, *text, file);
}

}  // namespace parley::app
