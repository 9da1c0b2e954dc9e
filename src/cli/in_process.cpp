#include "cli/in_process.hpp"

#include "base/block_on.hpp"
#include "base/clock.hpp"
#include "models/model_files.hpp"
#include "reference/routes.hpp"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <vector>

namespace parley::cli {
namespace {

// A request without a socket.
class OwnExchange final : public http::Exchange {
public:
    OwnExchange(const std::string& method, const std::string& target, const std::string& body,
                const Secret& token)
        : authorization_("Bearer " + std::string(token.reveal())), body_(body)
    {
        const std::string_view whole = target;
        const std::size_t question = whole.find('?');
        head_.method = method;
        head_.path = whole.substr(0, question);
        if (question != whole.npos) head_.query = whole.substr(question + 1);
        head_.fields.push_back({"Authorization", authorization_});
        if (body.empty()) return;
        head_.fields.push_back({"Content-Type", "application/json"});
        head_.content_length = body.size();
    }

    const http::RequestHead& request() const override { return head_; }
    const http::Peer& peer() const override { return peer_; }
    Task<Result<std::string>> body(std::size_t, http::Payer) override { co_return body_; }
    void shrink_body_share(std::size_t) override {}
    Result<> reserve_response(std::size_t, const http::Payer&) override { return {}; }
    Result<http::Charge> charge_response(std::size_t, const http::Payer&) override
    {
        return http::Charge();
    }
    http::EventStream& stream(http::Response /*head*/) override
    {
        throw std::logic_error("a command asked for a stream without a server");
    }
    void on_disconnect(std::function<void()> /*told*/) override {}  // Cannot happen.

private:
    std::string authorization_;
    std::string body_;
    http::RequestHead head_;
    http::Peer peer_{boost::asio::ip::address_v4::loopback(), false};
};

// No model is loaded here that could evict the texts of one user, so the whole cache is deleted.
Task<> drop_model_cache(std::filesystem::path cache)
{
    std::error_code failure;
    std::filesystem::remove_all(cache, failure);
    if (failure)
        log::warn("cannot remove the prompt cache of the models",
                  log::kv("directory", cache.native()), log::kv("reason", failure.message()));
    co_return;
}

// One for the whole process; it is not exported.
metrics::Metrics& unread_metrics()
{
    static metrics::Metrics metrics;
    return metrics;
}

}  // namespace

InProcess::InProcess(std::unique_ptr<QuietLog> log, metrics::Metrics& metrics,
                     std::unique_ptr<app::StoreParts> parts)
    : log_(std::move(log)),
      parts_(std::move(parts)),
      removed_users_{[cache = models::cache_folder(parts_->paths().directory)](
                         const std::string& /*user*/) { return drop_model_cache(cache); }}
{
    parts_->add_to(services_);
    services_.add(removed_users_);
    pipeline_ = std::make_unique<api::Pipeline>(
        reference::administration_routes(), services_, metrics, system_clock(),
        api::PipelineOptions{.authenticator = &parts_->people().authenticator});
}

Result<std::unique_ptr<ApiTransport>> InProcess::open(app::Settings settings)
{
    settings.sqlite.readers = 1;
    settings.postgres.connections = 2;
    auto log = std::make_unique<QuietLog>();
    auto directory = app::DataDirectory::open(settings.data);
    if (!directory) return directory.error();
    auto parts = app::StoreParts::open(std::move(*directory), settings, unread_metrics(),
                                       app::StoreUser::command);
    if (!parts) return parts.error();
    return std::unique_ptr<ApiTransport>(
        new InProcess(std::move(log), unread_metrics(), std::move(*parts)));
}

Result<Answered> InProcess::send(const std::string& method, const std::string& target,
                                 const std::string& json_body)
{
    OwnExchange exchange(method, target, json_body,
                         parts_->people().authenticator.command_line_token());
    auto response = block_on(pipeline_->serve(exchange));
    return Answered{response.status, std::string(response.content())};
}

}  // namespace parley::cli
