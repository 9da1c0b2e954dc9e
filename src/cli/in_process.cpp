#include "cli/in_process.hpp"

#include "api/routes.hpp"
#include "base/clock.hpp"
#include "base/run.hpp"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <vector>

namespace parley::cli {
namespace {

// A request that comes over no socket.
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
    Task<Result<std::string>> body() override { co_return body_; }
    http::EventStream& stream(http::Response /*head*/) override
    {
        throw std::logic_error("no command asks for a stream without a server");
    }
    void when_left(std::function<void()> /*told*/) override {}  // It cannot.

private:
    std::string authorization_;
    std::string body_;
    http::RequestHead head_;
    http::Peer peer_{boost::asio::ip::address_v4::loopback(), false};
};

// One for the whole process: nobody reads it here.
api::Metrics& unread_metrics()
{
    static api::Metrics metrics;
    return metrics;
}

}  // namespace

InProcess::InProcess(std::unique_ptr<QuietLog> log, api::Metrics& metrics,
                     std::unique_ptr<app::Parts> parts)
    : log_(std::move(log)), parts_(std::move(parts))
{
    services_.add(metrics);
    services_.add(readiness_);
    services_.add(reference_);
    parts_->add_to(services_);
    pipeline_ =
        std::make_unique<api::Pipeline>(api::all_routes(), services_, metrics, system_clock(),
                                        api::PipelineOptions{.gate = &parts_->gate()});
}

Result<std::unique_ptr<Interface>> InProcess::open(const app::DataPaths& paths)
{
    app::Settings settings;
    settings.data = paths.directory;
    settings.store_readers = 1;
    auto log = std::make_unique<QuietLog>();
    auto parts = app::Parts::open(settings, unread_metrics());
    if (!parts) return parts.error();
    // No model is here to forget what this command removes.
    std::error_code ignored;
    std::filesystem::remove_all(paths.model_cache(), ignored);
    return std::unique_ptr<Interface>(
        new InProcess(std::move(log), unread_metrics(), std::move(*parts)));
}

Result<Answered> InProcess::send(const std::string& method, const std::string& target,
                                 const std::string& json_body)
{
    OwnExchange exchange(method, target, json_body, parts_->command_line_token());
    auto response = run(pipeline_->serve(exchange));
    return Answered{response.status, std::move(response.body)};
}

}  // namespace parley::cli
