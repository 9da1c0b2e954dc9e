// The API of a running server, on this machine or elsewhere.
#pragma once

#include "base/secret.hpp"
#include "cli/api_client.hpp"
#include "cli/chat_turn.hpp"
#include "http/client/blocking.hpp"

namespace parley::cli {

class RunningServer final : public ApiTransport {
public:
    // Fails with a message if the address of the server is not known.
    static Result<std::unique_ptr<ApiTransport>> find(const app::DataPaths& paths,
                                                      const app::LockHolder& holder);

    // A server at a known address.
    static std::unique_ptr<ApiTransport> at(const ServerPlace& place, Secret token);

    Result<Answered> send(const std::string& method, const std::string& target,
                          const std::string& json_body) override;

private:
    RunningServer(http::client::ClientOptions options, std::string url, Secret token)
        : client_(std::move(options)), url_(std::move(url)), token_(std::move(token))
    {
    }

    http::client::BlockingClient client_;
    std::string url_;
    Secret token_;
};

}  // namespace parley::cli
