#include "app/first_start.hpp"

#include "base/block_on.hpp"
#include "base/log.hpp"

#include <unistd.h>

namespace parley::app {
namespace {

constexpr std::string_view client_token_file = "client-token";
constexpr std::string_view setup_link_file = "setup-link";

bool is_known(store::Store& store, const std::string& token)
{
    return auth::token_kind(token) == auth::TokenKind::client &&
           block_on(store.tokens().find_token(auth::hash_token(token)));
}

}  // namespace

Result<std::string> client_token(DataDirectory& directory, store::Store& store,
                                 auth::PersonalTokens& tokens)
{
    const auto kept = read_private(directory.paths().directory / client_token_file);
    if (kept && is_known(store, *kept)) return *kept;
    const auto made = block_on(tokens.make_client("server", "web page", {}));
    if (!made) return made.error();
    std::string text(made->text.reveal());
    if (auto written = directory.write_private(client_token_file, text); !written)
        return written.error();
    return text;
}

Result<std::optional<std::string>> setup_link(DataDirectory& directory, store::Store& store,
                                              const auth::SetupCode& code, const std::string& url)
{
    const auto has_operator = block_on(store.accounts().has_operator());
    if (!has_operator) return has_operator.error();
    if (*has_operator) {
        if (auto removed = directory.remove(setup_link_file); !removed) return removed.error();
        return std::optional<std::string>();
    }
    const std::string link =
        url + (url.ends_with('/') ? "" : "/") + "#setup=" + std::string(code.text().reveal());
    if (isatty(STDOUT_FILENO) == 0) {
        if (auto written = directory.write_private(setup_link_file, link); !written)
            return written.error();
        log::info("no operator yet; open the link in this file to create the account",
                  log::kv("file", directory.paths().setup_link().native()));
    }
    return std::optional(link);
}

}  // namespace parley::app
