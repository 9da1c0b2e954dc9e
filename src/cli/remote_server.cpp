#include "cli/remote_server.hpp"

#include "auth/token_text.hpp"
#include "http/client/url.hpp"

#include <boost/asio/ip/address.hpp>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace parley::cli {
namespace {

// A token has 42 characters; a longer file is not a token.
constexpr std::size_t max_token_file = 256;

Result<std::string> read_token_file(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    std::string text(max_token_file, '\0');
    const ssize_t got = file < 0 ? -1 : ::read(file, text.data(), text.size());
    const int failure = errno;
    if (file >= 0) ::close(file);
    if (got < 0)
        return Error{Errc::invalid_request,
                     "The token file " + path + " cannot be read: " + std::strerror(failure) + "."};
    text.resize(static_cast<std::size_t>(got));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.pop_back();
    return text;
}

Result<Secret> token_of(const Common& common)
{
    const char* const variable = std::getenv("PARLEY_TOKEN");
    if (common.token_file.empty() && !variable)
        return Error{Errc::invalid_request,
                     "--url needs a token: give --token-file FILE, or set PARLEY_TOKEN."};
    std::string text = variable ? variable : "";
    if (!common.token_file.empty()) {
        auto read = read_token_file(common.token_file);
        if (!read) return read.error();
        text = std::move(*read);
    }
    if (!auth::token_kind(text))
        return Error{Errc::invalid_request,
                     (common.token_file.empty() ? "PARLEY_TOKEN" : common.token_file) +
                         std::string(" does not hold a valid Parley token. Create one in the web "
                                     "app, or with `parley token create`.")};
    return Secret::taken_from(text);
}

bool is_loopback(const http::client::Url& url)
{
    if (!url.host_is_address()) return url.host() == "localhost";
    boost::system::error_code failure;
    const auto address = boost::asio::ip::make_address(url.host(), failure);
    return !failure && address.is_loopback();
}

}  // namespace

Result<RemoteServer> remote_server(const Common& common)
{
    if (!common.data.empty())
        return Error{Errc::invalid_request, "--url and --data exclude each other."};
    const auto url = http::client::Url::parse(common.url);
    if (!url) return Error{Errc::invalid_request, "--url: " + url.error().message};
    if (url->target().find('?') != std::string::npos)
        return Error{Errc::invalid_request, "--url: give the address without a query."};
    if (!url->secure() && !is_loopback(*url))
        return Error{Errc::invalid_request,
                     "--url: http:// would send the token unencrypted to another machine. Use "
                     "https://, or an SSH tunnel to a loopback address."};
    auto token = token_of(common);
    if (!token) return token.error();
    std::string base = common.url;
    while (base.ends_with('/')) base.pop_back();
    return RemoteServer{{.url = std::move(base), .certificate = {}}, std::move(*token)};
}

}  // namespace parley::cli
