#include "models/upstream_options.hpp"

#include "base/escape_control.hpp"
#include "base/secret_file.hpp"
#include "http/client/url.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace parley::models {
namespace {

constexpr std::size_t longest_key = 4096;

Error refused(const std::string& name, std::string_view key, const std::string& why)
{
    return invalid_request("models." + name + "." + std::string(key) + ": " + why);
}

std::string without_blanks(std::string_view text)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(begin);
    return std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

// "a, b,, c": four places, the third of them empty. None where the text is empty.
std::vector<std::string> places(std::string_view text)
{
    std::vector<std::string> found;
    if (without_blanks(text).empty()) return found;
    while (true) {
        const std::size_t comma = text.find(',');
        found.push_back(without_blanks(text.substr(0, comma)));
        if (comma == text.npos) return found;
        text.remove_prefix(comma + 1);
    }
}

bool is_loopback(const http::client::Url& url)
{
    if (url.host() == "localhost") return true;
    return url.host_is_address() && boost::asio::ip::make_address(url.host()).is_loopback();
}

Result<http::client::Url> completions_at(const std::string& name, const ModelOptions& model,
                                         std::string base)
{
    while (base.ends_with('/')) base.pop_back();
    if (!base.ends_with("/v1"))
        return refused(name, "base_url", in_quotes(base) + " does not end in /v1.");
    auto url = http::client::Url::parse(base + "/chat/completions");
    if (!url) return refused(name, "base_url", url.error().message);
    if (!url->secure() && !is_loopback(*url) && !model.allow_plain_http)
        return refused(name, "base_url",
                       "plain HTTP to " + url->host_and_port() +
                           " would send conversations and keys readable over the network. Use "
                           "https, or set models." +
                           name + ".allow_plain_http=true if that network is yours.");
    return url;
}

// A key that cannot stand in a header field would break every request.
Result<Secret> checked_key(const std::string& name, std::string_view field,
                           const std::string& where, std::string text)
{
    const bool printable =
        std::ranges::all_of(text, [](char each) { return each > 0x20 && each < 0x7f; });
    const bool good = printable && !text.empty() && text.size() <= longest_key;
    Secret key = Secret::taken_from(text);
    if (!good)
        return refused(
            name, field,
            where + " does not hold a key; a key is one line of visible ASCII characters.");
    return key;
}

Result<Secret> key_from_file(const std::string& name, const std::string& file)
{
    const auto read = read_secret_file(file, longest_key + 2, Privacy::group);
    if (!read) return refused(name, "api_key_file", read.error().message);
    std::string text(read->reveal());
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return checked_key(name, "api_key_file", in_quotes(file), std::move(text));
}

Result<Secret> key_from_environment(const std::string& name, const std::string& variable)
{
    const char* value = std::getenv(variable.c_str());  // Never changed after the start.
    if (!value)
        return refused(name, "api_key_variable",
                       "the environment has no variable " + in_quotes(variable) + ".");
    return checked_key(name, "api_key_variable", "the variable " + in_quotes(variable), value);
}

bool is_list_for(const std::vector<std::string>& list, std::size_t servers)
{
    return list.empty() || list.size() == servers;
}

}  // namespace

Result<> check_model(const std::string& name, const ModelOptions& model)
{
    const auto urls = places(model.base_url);
    if (model.engine != "upstream") {
        if (urls.empty()) return {};
        return refused(name, "base_url",
                       "only the engine upstream uses an address; set the engine to upstream, or "
                       "remove base_url.");
    }
    if (urls.empty())
        return refused(name, "base_url", "the engine upstream needs the address of a server.");
    for (const std::string& base : urls)
        if (const auto url = completions_at(name, model, base); !url) return url.error();
    const auto models = places(model.upstream_model);
    if (models.size() != 1 && !is_list_for(models, urls.size()))
        return refused(name, "upstream_model",
                       "give one name, or one for each base_url, separated by commas.");
    const auto files = places(model.api_key_file);
    const auto variables = places(model.api_key_variable);
    for (const auto& [key, list] :
         {std::pair("api_key_file", files), std::pair("api_key_variable", variables)})
        if (!is_list_for(list, urls.size()))
            return refused(name, key,
                           "give one key for each base_url, separated by commas; with an empty "
                           "one, no key is sent.");
    for (std::size_t i = 0; i < std::min(files.size(), variables.size()); ++i)
        if (!files[i].empty() && !variables[i].empty())
            return refused(name, "api_key_variable",
                           "api_key_file is also set; give only one of the two.");
    return {};
}

Result<engine::upstream::UpstreamOptions> upstream_options(const std::string& name,
                                                           const ModelOptions& model,
                                                           std::chrono::seconds run_timeout)
{
    if (const auto checked = check_model(name, model); !checked) return checked.error();
    engine::upstream::UpstreamOptions options{
        .name = name, .servers = {}, .run_timeout = run_timeout, .times = model.times};
    if (model.context > 0) options.context = model.context;
    options.vision = model.vision;
    const auto urls = places(model.base_url);
    const auto at = [](const std::vector<std::string>& list, std::size_t i) {
        return list.empty() ? std::string() : list[std::min(i, list.size() - 1)];
    };
    for (std::size_t i = 0; i < urls.size(); ++i) {
        auto url = completions_at(name, model, urls[i]);
        if (!url) return url.error();
        const std::string there = at(places(model.upstream_model), i);
        const std::string file = at(places(model.api_key_file), i);
        const std::string variable = at(places(model.api_key_variable), i);
        Result<Secret> key = Secret();
        if (!file.empty()) key = key_from_file(name, file);
        if (!variable.empty()) key = key_from_environment(name, variable);
        if (!key) return key.error();
        options.servers.push_back({.url = std::move(*url),
                                   .model = there.empty() ? name : there,
                                   .key = std::move(*key)});
    }
    return options;
}

}  // namespace parley::models
